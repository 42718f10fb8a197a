import { useEffect } from "react";
import { keepClear } from "./toast_place.ts";

/** Moves the toasts of signed-in screens away from controls. Without this code a toast only stands less well. */
export function KeepToastsClear() {
  useEffect(() => keepClear(document.getElementById("toasts")!), []);
  // JSX, not null: a chunk without jsx() makes the bundler cut it off from the rest of the library.
  // deno-lint-ignore jsx-no-useless-fragment
  return <></>;
}
