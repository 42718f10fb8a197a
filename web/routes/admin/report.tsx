import { ADMIN_PATHS } from "../../admin_paths.ts";
import { ReportScreen } from "../report_screen.tsx";

/** A client's report for an administrator, with sites and accounts. */
export function Screen() {
  return <ReportScreen campaignPath={ADMIN_PATHS.campaign} reportPath={ADMIN_PATHS.report} />;
}
