import type { Proof } from "shared/http_api.ts";
import { ApiError } from "./api_client.ts";
import { ProofDeclinedError } from "./proof_declined_error.ts";

/** Sends a call, with the proof once it exists. */
type Send<T> = (body: { proof?: Proof }) => Promise<T>;

/** A call that waits for its proof. */
export interface ProofRequest {
  /** Resolves after the call succeeded or failed; rejects when the proof is wrong, so the person can try again. */
  tryWith(proof: Proof): Promise<void>;
  decline(): void;
}

let request: ProofRequest | null = null;
const listeners = new Set<() => void>();

/** Error codes about a wrong proof; all others are about the call itself. */
const OF_PROOF = new Set(["wrong_credentials", "wrong_code", "second_factor_needed", "second_factor_state"]);

/**
 * Sends a call, and repeats it with a proof if the server requires one. Only the server knows which calls require
 * it, so no screen needs a list.
 *
 * @throws {ProofDeclinedError} when the person closes the dialog
 * @throws whatever the call itself throws
 */
export async function withProof<T>(send: Send<T>): Promise<T> {
  try {
    return await send({});
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "proof_needed") throw error;
    return await ask(send);
  }
}

function ask<T>(send: Send<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // Only one dialog at a time: a second request declines the first.
    request?.decline();
    const asked: ProofRequest = {
      async tryWith(proof) {
        try {
          resolve(await send({ proof }));
        } catch (error) {
          if (isOfProof(error)) throw error;
          reject(error);
        }
        close();
      },
      decline() {
        reject(new ProofDeclinedError());
        close();
      },
    };
    const close = () => {
      if (request === asked) setRequest(null);
    };
    setRequest(asked);
  });
}

/** Returns whether the proof is wrong or was tried too often; the dialog then stays open. */
function isOfProof(error: unknown): boolean {
  return error instanceof ApiError &&
    (OF_PROOF.has(String(error.code)) || error.code === "too_many_attempts");
}

/** Returns the call that waits for a proof, or null. */
export function readProofRequest(): ProofRequest | null {
  return request;
}

/** Calls `listener` after every change; returns a function that unsubscribes it. */
export function subscribeProofRequest(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function setRequest(next: ProofRequest | null): void {
  request = next;
  for (const listener of listeners) listener();
}
