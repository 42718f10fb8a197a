import {
  Check,
  CircleMinus,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  Clock,
  Hourglass,
  Smartphone,
} from "lucide-react";
import type { DeliveryState } from "shared/delivery.ts";
import type { Delivery } from "shared/http_api.ts";
import { type Audience, stateLabel } from "shared/delivery_words.ts";
import { DELIVERIES } from "./text/deliveries.ts";
import { Mark, type MarkLook, type Tone } from "../../ui/mark.tsx";

/** Look of each delivery state, in marks and in filters. */
export const DELIVERY_LOOKS: Record<DeliveryState, { tone: Tone; icon: MarkLook["icon"] }> = {
  queued: { tone: "idle", icon: Clock },
  leased: { tone: "live", icon: Smartphone },
  sent: { tone: "ok", icon: Check },
  failed: { tone: "bad", icon: CircleX },
  unknown: { tone: "unsure", icon: CircleQuestionMark },
  skipped: { tone: "idle", icon: CircleSlash },
  cancelled: { tone: "idle", icon: CircleMinus },
};

interface DeliveryMarkProps {
  delivery: Delivery;
  audience: Audience;
  /** True before the campaign was sent. */
  isUnsent?: boolean;
}

/** The state of one delivery; says so when it waits for a disconnected site. */
export function DeliveryMark({ delivery, audience, isUnsent = false }: DeliveryMarkProps) {
  if (delivery.state === "leased" && delivery.waitingForSite !== null) {
    return <Mark tone="warn" icon={Hourglass} label={DELIVERIES.waitingForSite[audience]} />;
  }
  return <Mark {...DELIVERY_LOOKS[delivery.state]} label={stateLabel(delivery.state, isUnsent)} />;
}
