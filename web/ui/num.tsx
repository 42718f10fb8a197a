import type { ReactNode } from "react";
import { formatNumber } from "../text/format.ts";

/** A left-to-right island for a number, a time, an address or a version inside Hebrew. */
export function Num({ children }: { children: ReactNode }) {
  return <span className="num">{typeof children === "number" ? formatNumber(children) : children}</span>;
}
