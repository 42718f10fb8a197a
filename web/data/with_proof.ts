import type { Proof } from "shared/http_api.ts";
import { ApiError } from "./api_client.ts";
import { ProofDeclinedError } from "./proof_declined_error.ts";

/** Sends a call, with a proof once there is one. */
type Send<T> = (body: { proof?: Proof }) => Promise<T>;

/** A call that waits for its proof. */
export interface ProofRequest {
  /** Resolves when the call was answered; rejects with what is wrong with the proof, for another try. */
  tryWith(proof: Proof): Promise<void>;
  decline(): void;
}

let request: ProofRequest | null = null;
const listeners = new Set<() => void>();

/** What the server says of a proof that is not good; anything else is about the call itself. */
const OF_PROOF = new Set(["wrong_credentials", "wrong_code", "second_factor_needed", "second_factor_state"]);

/**
 * Sends a call, and sends it again with a proof where the server asks for one. Only the server knows which calls need
 * one, so that no screen has to keep the same list.
 *
 * @throws {ProofDeclinedError} when the person closes the question, and what the call throws
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
    // One question at a time: a second one takes the place of the first.
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

/** Whether the proof is at fault, or was tried too often; the question then stays open. */
function isOfProof(error: unknown): boolean {
  return error instanceof ApiError &&
    (OF_PROOF.has(String(error.code)) || error.code === "too_many_attempts");
}

/** The call that waits, or null. */
export function readProofRequest(): ProofRequest | null {
  return request;
}

/** Calls `listener` after every change; returns what ends that. */
export function subscribeProofRequest(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function setRequest(next: ProofRequest | null): void {
  request = next;
  for (const listener of listeners) listener();
}
