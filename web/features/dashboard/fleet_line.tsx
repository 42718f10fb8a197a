import { ChevronLeft } from "lucide-react";
import { Link } from "react-router-dom";
import type { Dashboard } from "shared/admin_api.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { DASHBOARD, fleetSentence } from "./text.ts";

/** In drawing order; ready phones have the plain look. */
const CELLS = [
  { key: "sending", state: "sending" },
  { key: "ready", state: undefined },
  { key: "full", state: "off" },
  { key: "unable", state: "risk" },
  { key: "atRisk", state: "risk" },
  { key: "banned", state: "banned" },
  { key: "stopped", state: "off" },
  { key: "offline", state: "off" },
] as const;
/** More cells than this add nothing to the sentence. */
const MOST_CELLS = 240;

/** Shows the fleet as one cell per phone and as a sentence, with a link to all phones. */
export function FleetLine({ fleet }: { fleet: Dashboard["fleet"] }) {
  const cells = CELLS.flatMap(({ key, state }) =>
    Array.from({ length: fleet[key] }, (_, index) => ({ key: `${key}${index}`, state }))
  );
  return (
    <div className="sheet mb-3 flex flex-wrap items-center gap-x-6 gap-y-3 p-5">
      <h2 id="active-devices-h" className="text-lg font-bold">{DASHBOARD.devices}</h2>
      <div className="min-w-0 grow basis-64">
        {cells.length <= MOST_CELLS && (
          <div className="fleet" aria-hidden="true">
            {cells.map(({ key, state }) => <i key={key} data-s={state} />)}
          </div>
        )}
        <p className="mt-2 text-xs text-ink-2">{fleetSentence(fleet)}</p>
      </div>
      <Link
        to={ADMIN_PATHS.devices}
        className="ms-auto inline-flex items-center gap-1 text-sm font-semibold text-primary"
      >
        {DASHBOARD.allDevices}
        <ChevronLeft className="size-4" />
      </Link>
    </div>
  );
}
