import {
  Ban,
  CircleSlash,
  Hourglass,
  type LucideIcon,
  Pause,
  Plug,
  Square,
  TriangleAlert,
  Unplug,
  UserX,
} from "lucide-react";
import type { DeviceStanding } from "shared/standing.ts";
import { DEVICES } from "../text/admin_devices.ts";
import { Mark, type Tone } from "./mark.tsx";

/** Only a phone that can send is green. */
const LEADS: Record<DeviceStanding, { tone: Tone; icon: LucideIcon }> = {
  offline: { tone: "bad", icon: Unplug },
  stopped: { tone: "idle", icon: Square },
  unfit: { tone: "warn", icon: TriangleAlert },
  site_stopped: { tone: "warn", icon: Square },
  no_account: { tone: "warn", icon: UserX },
  banned: { tone: "bad", icon: Ban },
  restricted: { tone: "bad", icon: Ban },
  logged_out: { tone: "warn", icon: UserX },
  unknown_screen: { tone: "warn", icon: TriangleAlert },
  rested: { tone: "warn", icon: Pause },
  unconfirmed_rested: { tone: "warn", icon: Pause },
  app_missing: { tone: "warn", icon: UserX },
  unreachable: { tone: "warn", icon: UserX },
  gave_back: { tone: "warn", icon: CircleSlash },
  unconfirmed_full: { tone: "warn", icon: Hourglass },
  day_full: { tone: "warn", icon: Hourglass },
  hour_full: { tone: "idle", icon: Hourglass },
  ready: { tone: "ok", icon: Plug },
};

/** Shows the state that leads a phone. A newer server may know states that this screen does not. */
export function StandingMark({ standing }: { standing: DeviceStanding }) {
  const look = LEADS[standing] ?? { tone: "warn", icon: TriangleAlert };
  return <Mark {...look} label={DEVICES.standings[standing] ?? DEVICES.standings.unfit} />;
}
