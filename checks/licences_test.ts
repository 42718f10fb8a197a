import assert from "node:assert/strict";

/**
 * Reads the licences of shipped packages from their licence texts, not from their labels: labels have been wrong
 * before (a chart library once declared MIT over custom terms).
 */
const root = new URL("../", import.meta.url).pathname;
const store = `${root}node_modules/.deno`;

/** Direct dependencies of the product; the test walks all their dependencies. */
const SHIPPED = [
  "hono",
  "@hono/zod-openapi",
  "zod",
  "drizzle-orm",
  "@libsql/client",
  "cbor-x",
  "jose",
  "hash-wasm",
  "libphonenumber-js",
  "nodemailer",
  "otpauth",
  "uqr",
  "react",
  "react-dom",
  "preact",
  "react-router-dom",
  "@tanstack/react-query",
  "@tanstack/react-virtual",
  "daisyui",
  "tailwindcss",
  "lucide-react",
  "@fontsource-variable/assistant",
  "@radix-ui/react-toast",
  "apexcharts",
  "react-apexcharts",
];

const TEXTS: [string, RegExp][] = [
  ["MIT", /Permission is hereby granted, free of charge, to any person obtaining a copy/],
  ["ISC", /Permission to use, copy, modify, and(\/or)? distribute this software for any purpose/],
  ["Apache-2.0", /Apache License\s+Version 2\.0/],
  ["BSD", /Redistribution and use in source and binary forms/],
  ["OFL-1.1", /SIL OPEN FONT LICENSE Version 1\.1/i],
];

/** Packages without a licence file, with the source that was read instead. */
const READ_ELSEWHERE: Record<string, string> = {
  "@libsql/client": "MIT, LICENSE of its repository tursodatabase/libsql-client-ts",
  "@libsql/core": "MIT, LICENSE of its repository tursodatabase/libsql-client-ts",
  "drizzle-orm": "Apache-2.0, LICENSE of its repository drizzle-team/drizzle-orm",
  "@hono/zod-openapi": "MIT, README of its repository honojs/middleware",
  "@hono/zod-validator": "MIT, README of its repository honojs/middleware",
  // These two publish only the label in package.json, in the package and in their repositories.
  "promise-limit": "ISC, label only",
  "@libsql/isomorphic-ws": "MIT, label only",
};

Deno.test("every package that ships carries an allowed licence in its own licence text", async () => {
  const wrong: string[] = [];
  const seen = new Set<string>();
  const toRead = [...SHIPPED];
  for (let name = toRead.pop(); name !== undefined; name = toRead.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const folder = await packageFolder(name);
    if (!folder) continue; // Optional package for another platform: not installed, so not shipped.
    const manifest = JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
    toRead.push(...Object.keys(manifest.dependencies ?? {}));
    const licence = await licenceOf(folder) ?? READ_ELSEWHERE[name];
    if (!licence) wrong.push(`${name}: no allowed licence text found (its label says ${manifest.license})`);
  }
  assert.ok(seen.size > SHIPPED.length, "no dependencies were walked");
  assert.deepEqual(wrong, []);
});

Deno.test("licenceOf() refuses a package labelled MIT with another licence text", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/package.json`, `{"license":"MIT"}`);
  await Deno.writeTextFile(`${folder}/LICENSE`, "Free for individuals; companies need a paid licence.");
  assert.equal(await licenceOf(folder), null);
  await Deno.remove(folder, { recursive: true });
});

async function packageFolder(name: string): Promise<string | null> {
  const stored = `${name.replace("/", "+")}@`;
  for await (const entry of Deno.readDir(store)) {
    if (entry.name.startsWith(stored)) return `${store}/${entry.name}/node_modules/${name}`;
  }
  return null;
}

async function licenceOf(folder: string): Promise<string | null> {
  for await (const entry of Deno.readDir(folder)) {
    if (!entry.isFile || !/^(licen[cs]e|copying|readme)/i.test(entry.name)) continue;
    const text = (await Deno.readTextFile(`${folder}/${entry.name}`)).replaceAll(/\s+/g, " ");
    const found = TEXTS.find(([, pattern]) => pattern.test(text));
    if (found) return found[0];
  }
  return null;
}
