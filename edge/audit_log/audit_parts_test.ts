import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openChainParts } from "./audit_parts.ts";

Deno.test("openChainParts() reads no heads before the first is written, and then all of them", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "shigur-heads-"));
  try {
    const { heads } = openChainParts(["a".repeat(43)], { keepsFiles: true, dataDir });
    assert.deepEqual(await heads.read(), []);
    await heads.append("one");
    await heads.append("two");
    assert.deepEqual(await heads.read(), ["one", "two"]);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

Deno.test("openChainParts() writes no head on an edge that keeps no files", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "shigur-heads-"));
  try {
    const { heads } = openChainParts(["a".repeat(43)], { keepsFiles: false, dataDir });
    await heads.append("one");
    assert.deepEqual([await heads.read(), await readdir(dataDir)], [[], []]);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
