import {
  History,
  LoaderCircle,
  type LucideIcon,
  Plus,
  RefreshCw,
  Settings,
  ShieldCheck,
  Upload,
} from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { QUICK } from "./text.ts";

interface Way {
  to: string;
  label: string;
  icon: LucideIcon;
}

const BEFORE: readonly Way[] = [
  { to: ADMIN_PATHS.sites, label: QUICK.addDevice, icon: Plus },
  { to: ADMIN_PATHS.files, label: QUICK.uploadCsv, icon: Upload },
  { to: ADMIN_PATHS.antiBanSettings, label: QUICK.antiBan, icon: ShieldCheck },
  { to: ADMIN_PATHS.activity, label: QUICK.logs, icon: History },
];
const AFTER: readonly Way[] = [{ to: ADMIN_PATHS.settings, label: QUICK.settings, icon: Settings }];

/** Links to the six most frequent tasks. */
export function QuickActions({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  const [isBusy, setBusy] = useState(false);
  const Refresh = isBusy ? LoaderCircle : RefreshCw;
  return (
    <section className="sheet p-5" aria-labelledby="quick-h">
      <h2 id="quick-h" className="mb-3 text-lg font-bold">{QUICK.heading}</h2>
      <ul className="grid grid-cols-2 gap-2">
        {BEFORE.map((way) => <QuickLink key={way.to} {...way} />)}
        <li>
          <button
            type="button"
            className="quick"
            aria-busy={isBusy || undefined}
            onClick={() => {
              if (isBusy) return;
              setBusy(true);
              void onRefresh().finally(() => setBusy(false));
            }}
          >
            <Refresh className={`size-5 text-primary ${isBusy ? "motion-safe:animate-spin" : ""}`} />
            {isBusy ? QUICK.refreshing : QUICK.refresh}
          </button>
        </li>
        {AFTER.map((way) => <QuickLink key={way.to} {...way} />)}
      </ul>
    </section>
  );
}

function QuickLink({ to, label, icon: Icon }: Way) {
  return (
    <li>
      <Link to={to} className="quick">
        <Icon className="size-5 text-primary" />
        {label}
      </Link>
    </li>
  );
}
