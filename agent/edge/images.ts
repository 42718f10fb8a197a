/**
 * Campaign images at the site: fetched once per hash with the site's token, checked, kept a week in AGENT_DIR/images.
 */
import { createHash } from "node:crypto";
import type { TokenSigner } from "./token.ts";

const FETCH_TIMEOUT_MS = 30_000;
/** How long an image is kept. A longer campaign fetches its image once more. */
const KEEP_MS = 7 * 24 * 60 * 60_000;

export class ImageStore {
  #edgeUrl: string;
  #folder: string;
  #tokens: TokenSigner;
  #now: () => number;
  #fetching = new Map<string, Promise<Uint8Array>>();

  constructor(options: { edgeUrl: string; agentDir: string; tokens: TokenSigner; now: () => number }) {
    this.#edgeUrl = options.edgeUrl;
    this.#folder = `${options.agentDir}/images`;
    this.#tokens = options.tokens;
    this.#now = options.now;
  }

  /**
   * Returns the bytes of an image by its SHA-256. Devices that ask at the same time share one download.
   *
   * @throws {Error} when the edge does not give it, or gives other bytes
   */
  get(sha256: string): Promise<Uint8Array> {
    let fetching = this.#fetching.get(sha256);
    if (!fetching) {
      fetching = this.#load(sha256).finally(() => this.#fetching.delete(sha256));
      this.#fetching.set(sha256, fetching);
    }
    return fetching;
  }

  async #load(sha256: string): Promise<Uint8Array> {
    const path = `${this.#folder}/${sha256}`;
    const kept = await Deno.readFile(path).catch(() => null);
    if (kept && hashOf(kept) === sha256) return kept;
    const response = await fetch(new URL(`/agent/images/${sha256}`, this.#edgeUrl), {
      headers: { authorization: `Bearer ${await this.#tokens.sign()}` },
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      redirect: "manual",
    });
    const bytes = await response.bytes();
    if (!response.ok) throw new Error(`Cannot fetch image: edge answered ${response.status}`);
    if (hashOf(bytes) !== sha256) throw new Error("Cannot fetch image: its hash is another");
    await Deno.mkdir(this.#folder, { recursive: true });
    await this.#prune();
    // A half-written file would not match its hash.
    await Deno.writeFile(path, bytes);
    return bytes;
  }

  /** A year of campaigns would fill the disk. A site without room for its journal sends nothing. */
  async #prune(): Promise<void> {
    const before = this.#now() - KEEP_MS;
    for await (const { name } of Deno.readDir(this.#folder)) {
      const path = `${this.#folder}/${name}`;
      try {
        const { mtime } = await Deno.stat(path);
        if (mtime !== null && mtime.getTime() < before) await Deno.remove(path);
      } catch {
        // Another fetch has removed it already. A remaining file is removed at the next fetch.
      }
    }
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
