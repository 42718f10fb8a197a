import type { ReactNode } from "react";
import { formatNumber } from "../text/format.ts";

/** Isolates a number, time, address or version as left-to-right text inside Hebrew. */
export function Num({ children }: { children: ReactNode }) {
  return <span className="num">{typeof children === "number" ? formatNumber(children) : children}</span>;
}
