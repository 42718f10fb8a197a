/** Who this site is: its Ed25519 key and the id the edge gave it, kept in AGENT_DIR/identity.json. */
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
 * Reads the site's identity, or answers null when it was never enrolled.
 *
 * @throws {ExitError} when the file is there but does not hold an identity
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
 * Enrols this site with a one-time join token: makes a key pair, tells the edge the public half, keeps the private.
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
    // The token is for this address alone.
    redirect: "manual",
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const why = errorBodySchema.safeParse(answer).data;
    const says = why ? `${why.error} (${why.code})` : `the edge answered ${response.status}`;
    throw new ExitError("refused", `Cannot enrol: ${says}`);
  }
  const { siteId, siteName } = enrollResponseSchema.parse(answer);
  const identity: Identity = { siteId, siteName, key };
  await writeSecret(identityPath(options.agentDir), JSON.stringify(identity));
  await Deno.remove(`${identityPath(options.agentDir)}.new`);
  return identity;
}

/** The key is on disk before it is sent: when the edge's answer is lost, the next try sends the same one. */
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

/** On the disk before it has its name: a power cut leaves the whole of it, or none. */
async function writeSecret(path: string, text: string): Promise<void> {
  const temporary = `${path}.part`;
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  await Deno.rename(temporary, path);
}
