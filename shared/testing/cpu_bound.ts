/**
 * Bounds of processor time that hold on any machine. A test finds a cost that grows faster than its input, which is
 * tens of times over its bound; the figures themselves are measured by `deno task bench`.
 */
import { threadCpuMs } from "./thread_cpu.ts";

/** What readLines() takes on the machine of docs/figures.md. */
const REFERENCE_MS = 100;
/** Other processes share the caches, and the garbage collector runs when it wants to. */
const MARGIN = 2;

/**
 * Returns the bound, in ms of processor, that stands here for `figureMs` on the machine of docs/figures.md. A machine
 * that is slower at this moment gets more. Takes about 0.1 s, so ask only about a cost over `figureMs`.
 */
export function cpuBoundMs(figureMs: number): number {
  const before = threadCpuMs();
  readLines();
  const slowdown = (threadCpuMs() - before) / REFERENCE_MS;
  return figureMs * MARGIN * Math.max(1, slowdown);
}

/** Work of the kind that the product's readers do: bytes, texts, a map, a sort. */
function readLines(): number {
  const bytes = new Uint8Array(4 * 1024 * 1024);
  for (let i = 0; i < bytes.length; i++) bytes[i] = i % 11 === 10 ? 0x0a : 0x30 + ((i * 7) >>> 3) % 10;
  const seen = new Map<string, number>();
  for (const line of new TextDecoder().decode(bytes).split("\n")) {
    seen.set(line.replace(/^0+/, ""), seen.size);
  }
  return [...seen.keys()].sort().length;
}

/** Tells whether a measured cost, in ms of processor, is within `figureMs` or what stands for it on this machine. */
export function isWithinCpu(costMs: number, figureMs: number): boolean {
  return costMs <= figureMs || costMs <= cpuBoundMs(figureMs);
}
