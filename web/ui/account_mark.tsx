import { Activity, Ban, Circle, LoaderCircle } from "lucide-react";
import type { AdbStatus } from "shared/http_api.ts";
import { DEVICES } from "../text/admin_devices.ts";
import { Mark, type MarkLook } from "./mark.tsx";

type AccountStatus = AdbStatus["devices"][number]["accounts"][number]["status"];

const LOOKS: Record<AccountStatus, Omit<MarkLook, "label">> = {
  active: { tone: "ok", icon: Activity },
  processing: { tone: "live", icon: LoaderCircle },
  idle: { tone: "idle", icon: Circle },
  banned: { tone: "bad", icon: Ban },
};

/** An account's activity: one of the product's four states. */
export function AccountMark({ status }: { status: AccountStatus }) {
  return <Mark {...LOOKS[status]} label={DEVICES.accountMarks[status]} />;
}
