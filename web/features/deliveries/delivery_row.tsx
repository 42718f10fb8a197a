import type { Delivery } from "shared/http_api.ts";
import { type Audience, DELIVERY_WORDS } from "shared/delivery_words.ts";
import { accountName, DELIVERIES, STORY } from "./text/deliveries.ts";
import { formatWeekday } from "../../text/format_exact.ts";
import { ExactTime } from "../../ui/exact_time.tsx";
import { Phone } from "../../ui/phone.tsx";
import type { RowPlace } from "../../ui/virtual_table.tsx";
import { DeliveryMark } from "./delivery_mark.tsx";

interface DeliveryRowProps {
  delivery: Delivery;
  audience: Audience;
  isUnsent: boolean;
  place: RowPlace;
  onStory: (delivery: Delivery) => void;
  onResolve?: (delivery: Delivery) => void;
}

const NO_TIME_YET: readonly Delivery["state"][] = ["queued", "leased"];

/** One recipient; on a narrow screen the reason is under the number. */
export function DeliveryRow({ delivery, audience, isUnsent, place, onStory, onResolve }: DeliveryRowProps) {
  const { state, phone, at } = delivery;
  const reason = reasonOf(delivery, audience);
  return (
    <tr {...place}>
      <td>
        <button
          type="button"
          className="cursor-pointer underline decoration-edge decoration-dotted underline-offset-4 hover:decoration-solid"
          title={STORY.title}
          onClick={() => onStory(delivery)}
        >
          <Phone e164={phone} />
        </button>
        <span className="block text-xs text-ink-3 md:hidden">{reason}</span>
      </td>
      <td>
        <span className="inline-flex flex-wrap items-center gap-1">
          <DeliveryMark delivery={delivery} audience={audience} isUnsent={isUnsent} />
          {state === "unknown" && onResolve && (
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
      <td className="hidden md:table-cell">
        <Sender delivery={delivery} />
      </td>
      <td title={NO_TIME_YET.includes(state) ? undefined : formatWeekday(at)}>
        {NO_TIME_YET.includes(state) ? "–" : <ExactTime at={at} />}
      </td>
      <td className="hidden text-ink-2 md:table-cell">{reason}</td>
    </tr>
  );
}

/** The sending number, or for administrators the account; a number that the app has not shown yet is unknown. */
function Sender({ delivery: { state, sender, account } }: Pick<DeliveryRowProps, "delivery">) {
  if (sender !== null) return <Phone e164={sender} />;
  if (account !== null) return <bdi>{accountName(account)}</bdi>;
  return state === "sent" ? <span className="text-ink-3">{DELIVERIES.unknownSender}</span> : "–";
}

function reasonOf({ reason, state, waitingForSite }: Delivery, audience: Audience): string {
  const words = DELIVERY_WORDS[audience];
  if (state === "leased" && waitingForSite !== null) {
    return DELIVERIES.waitingFor(words.siteCalled(waitingForSite));
  }
  // A sent message needs no reason; its history stays in the log.
  if (reason === null || state === "sent") return "";
  return words.reasons[reason];
}
