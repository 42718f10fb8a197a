/** Parses clamd's answer to a file sent with zINSTREAM (clamd(8)). */
import type { Verdict } from "../context.ts";

/** There is no verdict: nothing is known about the file. */
export class ScanError extends Error {
  override readonly name = "ScanError";
}

/** Names of signatures have no spaces; with ExtendedDetectionInfo they end with the file's hash and size. */
const VERDICT = /^stream: (?:OK|([\x21-\x7e]{1,200}) FOUND)\0$/;
const REFUSAL = /^([\x20-\x7e]{1,200}) ERROR\0$/;
const SHOWN_CHARS = 80;

/**
 * Parses a whole answer, including the NUL at its end. Only the exact text for "clean" counts as clean.
 *
 * @throws {ScanError} for a refusal, and for every answer that is not a verdict
 */
export function readVerdict(answer: Uint8Array): Verdict {
  const text = new TextDecoder("latin1").decode(answer);
  const verdict = VERDICT.exec(text);
  if (verdict) return { found: verdict[1] ?? null };
  const refusal = REFUSAL.exec(text)?.[1];
  if (refusal !== undefined) throw new ScanError(`clamd refused: ${refusal}`);
  throw new ScanError(`Cannot read clamd's answer: it is ${JSON.stringify(text.slice(0, SHOWN_CHARS))}`);
}
