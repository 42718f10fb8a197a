import type { Delivery } from "shared/http_api.ts";
import { DELIVERY_REASON_TEXT } from "shared/delivery_words.ts";
import { accountName, DELIVERIES } from "../../text/deliveries.ts";
import { formatTimeWithSeconds } from "../../text/format.ts";
import { Num } from "../../ui/num.tsx";
import { Phone } from "../../ui/phone.tsx";
import { DeliveryMark } from "./delivery_mark.tsx";

interface DeliveryRowProps {
  delivery: Delivery;
  index: number;
  /** Tells the virtual list how high the row came out. */
  measure: (element: HTMLTableRowElement | null) => void;
  onResolve: (delivery: Delivery) => void;
}

const NO_TIME_YET: readonly Delivery["state"][] = ["queued", "leased"];

/** One recipient; on a narrow screen the reason stands under the number. */
export function DeliveryRow({ delivery, index, measure, onResolve }: DeliveryRowProps) {
  const { state, phone, account, at } = delivery;
  const reason = reasonOf(delivery);
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <td>
        <Phone e164={phone} />
        <span className="block text-xs text-ink-3 md:hidden">{reason}</span>
      </td>
      <td>
        <span className="inline-flex flex-wrap items-center gap-1">
          <DeliveryMark delivery={delivery} />
          {state === "unknown" && (
            <button
              type="button"
              className="btn btn-secondary btn-xs"
              onClick={() => onResolve(delivery)}
            >
              {DELIVERIES.resolve}
            </button>
          )}
        </span>
      </td>
      <td className="hidden md:table-cell">{account === null ? "–" : <bdi>{accountName(account)}</bdi>}</td>
      <td>{NO_TIME_YET.includes(state) ? "–" : <Num>{formatTimeWithSeconds(at)}</Num>}</td>
      <td className="hidden text-ink-2 md:table-cell">{reason}</td>
    </tr>
  );
}

function reasonOf({ reason, state, waitingForSite }: Delivery): string {
  if (state === "leased" && waitingForSite !== null) return DELIVERIES.waitingForSiteNamed(waitingForSite);
  // A sent message needs no excuse; what it went through stays in the log.
  if (reason === null || state === "sent") return "";
  return DELIVERY_REASON_TEXT[reason];
}
