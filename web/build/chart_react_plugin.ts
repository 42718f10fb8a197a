/**
 * Bundles react-apexcharts as a module. The package is CommonJS: its require("react") would keep all of React, and the
 * bundler's helpers for require(), in the chunks that every visitor loads.
 */
import type { Plugin } from "esbuild";

/** What the package requires. Its property types do nothing in a released page, as in prop-types' own release. */
const BEFORE = `import { createElement, useEffect, useRef } from "react";
import apexcharts from "apexcharts";
const anyType = Object.assign(() => anyType, { isRequired: null });
const modules = {
  "react": { __esModule: true, default: { createElement }, useEffect, useRef },
  "apexcharts": { __esModule: true, default: apexcharts },
  "prop-types": { __esModule: true, default: new Proxy({}, { get: () => anyType }) },
};
const made = {};
((exports, require) => {
`;
const AFTER = `
})(made, (name) => modules[name]);
export default made.default;
`;

/** Returns an esbuild plugin that wraps the package's one file into a module with the same code. */
export function chartReactPlugin(): Plugin {
  return {
    name: "chart_react",
    setup(build) {
      build.onLoad({ filter: /[\\/]react-apexcharts[\\/]dist[\\/][^\\/]+\.js$/ }, async ({ path }) => {
        return { contents: BEFORE + await Deno.readTextFile(path) + AFTER, loader: "js" };
      });
    },
  };
}
