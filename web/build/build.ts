/**
 * Builds the browser application: `deno run -A web/build/build.ts [--react] [--watch] [--out=folder]`.
 *
 * The source is written for React; the released bundle uses Preact, which has a third of the size. `--react`
 * builds the same source with React, so the browser suite can compare the behaviour of both.
 */
import * as esbuild from "esbuild";
import { join, relative, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { chartReactPlugin } from "./chart_react_plugin.ts";
import { iconsPlugin } from "./icons_plugin.ts";
import { licencesOf } from "./licences.ts";
import { radixNamesPlugin } from "./radix_names_plugin.ts";
import { tailwindPlugin } from "./tailwind_plugin.ts";
import { hashInputs } from "./build_inputs.ts";
import { PAGE_LANGUAGES } from "../developers/words.ts";
import { developersPage, type PageParts } from "../developers/page.ts";

const ROOT = resolve(import.meta.dirname!, "../..");
const WEB = join(ROOT, "web");

/** Replace React by Preact inside packages too; an import map would affect only our own files. */
const PREACT_ALIAS = {
  "react/jsx-runtime": "preact/jsx-runtime",
  "react/jsx-dev-runtime": "preact/jsx-runtime",
  "react-dom/client": "preact/compat/client",
  "react-dom": "preact/compat",
  "react": "preact/compat",
};

export interface BuildOptions {
  /** Output folder for index.html and assets/; replaced as a whole when an input changed. */
  outDir: string;
  library: "preact" | "react";
  minify: boolean;
  /** "best" for release (brotli 11), "fast" for a first start (brotli 5), "none" for no siblings. */
  compress: "best" | "fast" | "none";
}

export interface BuildResult {
  outDir: string;
  /** False when no input changed since the last build and no file was written. */
  built: boolean;
}

/** Builds the application into `outDir`; returns immediately when its inputs have not changed. */
export async function buildWeb(asked: BuildOptions): Promise<BuildResult> {
  // Resolve removes a trailing slash: the names of neighbouring folders are built from this path.
  const options = { ...asked, outDir: resolve(asked.outDir) };
  const hash = await hashInputs(ROOT, JSON.stringify(options));
  const stampPath = join(options.outDir, "build.json");
  if (await lastHash(stampPath) === hash) return { outDir: options.outDir, built: false };

  // Running edges serve the old folder until the new one is complete.
  const [made, old] = [`${options.outDir}-new`, `${options.outDir}-old`];
  await removeAll(made, old);
  const there = { ...options, outDir: made };
  const result = await esbuild.build(esbuildOptions(there));
  await writePage(there, result.metafile!);
  await Deno.writeTextFile(join(made, "licences.txt"), await licencesOf(result.metafile!, ROOT));
  await esbuild.stop();
  await compressAssets(there);
  await Deno.writeTextFile(join(made, "build.json"), JSON.stringify({ hash }));
  await Deno.rename(options.outDir, old).catch(ignoreMissing);
  await Deno.rename(made, options.outDir);
  await removeAll(old);
  return { outDir: options.outDir, built: true };
}

/** Rebuilds on every change until `signal` aborts. */
async function watchWeb(options: BuildOptions, signal: AbortSignal): Promise<void> {
  const writePagePlugin: esbuild.Plugin = {
    name: "page",
    setup(build) {
      build.onEnd(async (result) => {
        if (result.metafile) await writePage(options, result.metafile);
      });
    },
  };
  const base = esbuildOptions(options);
  const context = await esbuild.context({ ...base, plugins: [...base.plugins!, writePagePlugin] });
  await context.watch();
  await new Promise<void>((done) => signal.addEventListener("abort", () => done(), { once: true }));
  await context.dispose();
  await esbuild.stop();
}

function esbuildOptions({ outDir, library, minify }: BuildOptions): esbuild.BuildOptions {
  return {
    absWorkingDir: ROOT,
    entryPoints: {
      app: "web/main.tsx",
      style: "web/ui/app.css",
      developers: "web/developers/developers.css",
    },
    outdir: join(outDir, "assets"),
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    jsx: "automatic",
    minify,
    metafile: true,
    legalComments: "none",
    // Keep Hebrew unescaped: escapes would triple its size.
    charset: "utf8",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    publicPath: "/assets/",
    loader: { ".woff2": "file" },
    define: { "process.env.NODE_ENV": minify ? '"production"' : '"development"' },
    alias: {
      shared: join(ROOT, "shared"),
      zod: join(WEB, "build/zod_subset.ts"),
      ...(library === "preact" ? PREACT_ALIAS : {}),
    },
    plugins: [chartReactPlugin(), radixNamesPlugin(), tailwindPlugin(), iconsPlugin()],
    logLevel: "warning",
  };
}

/** Builds the script that runs before the first paint: classic, not a module, one file. */
async function buildThemeBoot(options: BuildOptions): Promise<esbuild.Metafile> {
  const result = await esbuild.build({
    ...esbuildOptions(options),
    entryPoints: { theme_boot: "web/theme_boot.ts" },
    format: "iife",
    splitting: false,
  });
  return result.metafile!;
}

/** Writes index.html with the hashed names, and the two files served from the root. */
async function writePage(options: BuildOptions, metafile: esbuild.Metafile): Promise<void> {
  const { outDir } = options;
  const themeBoot = await buildThemeBoot(options);
  const outputs = Object.entries({ ...metafile.outputs, ...themeBoot.outputs }).map(([path, output]) => ({
    url: "/" + relative(outDir, resolve(ROOT, path)).replaceAll("\\", "/"),
    output,
  }));
  const entry = (source: string) => {
    const found = outputs.find(({ output }) => output.entryPoint === source);
    if (!found) throw new Error(`Cannot write index.html: no output for "${source}"`);
    return found;
  };
  const app = entry("web/main.tsx");
  const preloads = app.output.imports.filter((made) => made.kind === "import-statement")
    .map((made) => "/" + relative(outDir, resolve(ROOT, made.path)));
  const hebrewFont = outputs.find(({ url }) => url.includes("assistant-hebrew"));
  const tags = [
    `<script src="${entry("web/theme_boot.ts").url}"></script>`,
    `<link rel="preload" href="${hebrewFont?.url}" as="font" type="font/woff2" crossorigin>`,
    `<link rel="stylesheet" href="${entry("web/ui/app.css").url}">`,
    ...preloads.map((url) => `<link rel="modulepreload" href="${url}">`),
    `<script type="module" src="${app.url}"></script>`,
  ];
  const page = await Deno.readTextFile(join(WEB, "index.html"));
  await Deno.writeTextFile(join(outDir, "index.html"), page.replace("<!-- assets -->", tags.join("\n    ")));
  await writeDevelopersPages(outDir, {
    themeBoot: entry("web/theme_boot.ts").url,
    styles: [entry("web/ui/app.css").url, entry("web/developers/developers.css").url],
    font: hebrewFont!.url,
  });
  for (const name of ["favicon.svg", "robots.txt"]) await Deno.copyFile(join(WEB, name), join(outDir, name));
}

/** Writes the page for developers in each language: developers.html in Hebrew, developers_en.html in English. */
async function writeDevelopersPages(outDir: string, assets: PageParts["assets"]): Promise<void> {
  const document = JSON.parse(await Deno.readTextFile(join(ROOT, "shared/openapi.json")));
  for (const language of PAGE_LANGUAGES) {
    const name = language === "he" ? "developers.html" : `developers_${language}.html`;
    await Deno.writeTextFile(join(outDir, name), developersPage({ language, document, assets }));
  }
}

/**
 * Writes a .br and a .gz file beside each text asset and each page for developers, so that the server compresses
 * nothing at run time.
 */
async function compressAssets({ outDir, compress }: BuildOptions): Promise<void> {
  if (compress === "none") return;
  for (
    const [folder, names] of [[join(outDir, "assets"), /\.(js|css)$/], [
      outDir,
      /^developers\w*\.html$/,
    ]] as const
  ) {
    for await (const { name } of Deno.readDir(folder)) {
      if (!names.test(name)) continue;
      const bytes = await Deno.readFile(join(folder, name));
      const quality = compress === "best" ? 11 : 5;
      const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
      await Deno.writeFile(join(folder, `${name}.br`), brotli);
      await Deno.writeFile(
        join(folder, `${name}.gz`),
        gzipSync(bytes, { level: compress === "best" ? 9 : 6 }),
      );
    }
  }
}

async function removeAll(...folders: string[]): Promise<void> {
  for (const folder of folders) await Deno.remove(folder, { recursive: true }).catch(ignoreMissing);
}

async function lastHash(stampPath: string): Promise<string | undefined> {
  const text = await Deno.readTextFile(stampPath).catch(ignoreMissing);
  return text ? JSON.parse(text).hash : undefined;
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

if (import.meta.main) {
  const library = Deno.args.includes("--react") ? "react" : "preact";
  const named = Deno.args.find((arg) => arg.startsWith("--out="))?.slice("--out=".length);
  const outDir = resolve(named ?? join(WEB, library === "react" ? "dist-react" : "dist"));
  if (Deno.args.includes("--watch")) {
    const stop = new AbortController();
    Deno.addSignalListener("SIGINT", () => stop.abort());
    await watchWeb({ outDir, library, minify: false, compress: "none" }, stop.signal);
  } else {
    await buildWeb({ outDir, library, minify: true, compress: "best" });
  }
}
