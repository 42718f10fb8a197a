/** The viewer's duty in their client's account, for every part that shows a button. */
import { createContext, useContext } from "react";
import { type Duty, mayDo } from "shared/duty.ts";

/** Owners and administrators need no provider. */
export const DutyContext = createContext<Duty>("owner");

/** Returns whether the server lets the viewer do what needs the duty `least`; a button that it would refuse is hidden. */
export function useMayDo(least: Duty): boolean {
  return mayDo(useContext(DutyContext), least);
}
