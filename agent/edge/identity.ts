/** The identity of this site: its Ed25519 key and its id from the edge, kept in AGENT_DIR/identity.json. */
import { writeFile } from "node:fs/promises";
import { exportJWK, generateKeyPair } from "jose";
import { z } from "zod";
import { enrollRequestSchema, enrollResponseSchema } from "shared/agent_protocol.ts";
import { errorBodySchema } from "shared/error_code.ts";
import { ExitError } from "../exit_error.ts";

const identitySchema = z.object({
  siteId: z.int(),
  siteName: z.string(),
  key: z.object({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: z.string(), d: z.string() }),
});
export type Identity = z.infer<typeof identitySchema>;

/**
 * Returns the site's identity, or null when it was never enrolled.
 *
 * @throws {ExitError} when the file exists but holds no identity
 */
export async function readIdentity(agentDir: string): Promise<Identity | null> {
  const path = identityPath(agentDir);
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  try {
    return identitySchema.parse(JSON.parse(text));
  } catch {
    throw new ExitError("config", `Cannot read identity "${path}": not an identity file`);
  }
}

/**
 * Enrols this site with a one-time join token. Makes a key pair, sends the public key to the edge and keeps the private
 * key.
 *
 * @throws {ExitError} when the edge refuses the token
 */
export async function enroll(
  options: { edgeUrl: string; agentDir: string; joinToken: string; signal?: AbortSignal },
): Promise<Identity> {
  const key = await pendingKey(`${identityPath(options.agentDir)}.new`);
  const body = enrollRequestSchema.safeParse({ joinToken: options.joinToken.trim(), publicKey: key.x });
  if (!body.success) throw new ExitError("refused", "Cannot enrol: the join token is not one");
  const response = await fetch(new URL("/api/agent/enroll", options.edgeUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body.data),
    signal: options.signal,
    // The token is for this address only.
    redirect: "manual",
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const why = errorBodySchema.safeParse(answer).data;
    const reason = why ? `${why.error} (${why.code})` : `the edge answered ${response.status}`;
    throw new ExitError("refused", `Cannot enrol: ${reason}`);
  }
  const { siteId, siteName } = enrollResponseSchema.parse(answer);
  const identity: Identity = { siteId, siteName, key };
  await writeSecret(identityPath(options.agentDir), JSON.stringify(identity));
  await Deno.remove(`${identityPath(options.agentDir)}.new`);
  return identity;
}

/** The key is on disk before it is sent. When the edge's answer is lost, the next try sends the same key. */
async function pendingKey(path: string): Promise<Identity["key"]> {
  const found = await Deno.readTextFile(path).catch(() => null);
  if (found) return identitySchema.shape.key.parse(JSON.parse(found));
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const key = identitySchema.shape.key.parse(await exportJWK(privateKey));
  await writeSecret(path, JSON.stringify(key));
  return key;
}

function identityPath(agentDir: string): string {
  return `${agentDir}/identity.json`;
}

/** The file is on disk before it gets its name: a power cut leaves all of it, or nothing. */
async function writeSecret(path: string, text: string): Promise<void> {
  const temporary = `${path}.part`;
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  await Deno.rename(temporary, path);
}
