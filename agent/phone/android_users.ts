/** The Android users of a phone. Each has its own apps, accounts and storage. */
import type { InventoryAccount } from "shared/agent_protocol.ts";

export interface AndroidUser {
  id: number;
  kind: NonNullable<InventoryAccount["userKind"]>;
  isRunning: boolean;
  /** A profile is shown beside its owner's apps; a full user only while it is in front. */
  isProfile: boolean;
}

// Flags of AOSP core/java/android/content/pm/UserInfo.java.
const FLAG_PRIMARY = 0x1;
const FLAG_MANAGED_PROFILE = 0x20;
const FLAG_PROFILE = 0x1000;

/** Reads `pm list users`: lines such as "UserInfo{10:Work profile:1030} running", the flags in hex. */
export function readUsers(output: string): AndroidUser[] {
  return [...output.matchAll(/UserInfo\{(\d+):(.*):([0-9a-f]+)\}( running)?/g)].map(
    ([, digits, name, hex, running]) => {
      const id = Number(digits);
      const flags = parseInt(hex!, 16);
      // Samsung's second copy of an app ("Dual Messenger") is a managed profile, but not a work profile.
      const isWork = (flags & FLAG_MANAGED_PROFILE) !== 0 && name !== "DUAL_APP";
      return {
        id,
        kind: id === 0 || (flags & FLAG_PRIMARY) !== 0 ? "owner" : isWork ? "work" : "secondary",
        isRunning: running !== undefined,
        isProfile: (flags & (FLAG_MANAGED_PROFILE | FLAG_PROFILE)) !== 0,
      };
    },
  );
}

/** Returns the ids of the running users. */
export function readRunningUsers(output: string): number[] {
  return readUsers(output).filter(({ isRunning }) => isRunning).map(({ id }) => id);
}
