/** Paths of reports; a separate file, so visitors and the home screen do not load them. */
import { PATHS } from "./paths.ts";

export const REPORT_PATHS = {
  report: (campaign: number | string) => `${PATHS.campaign(campaign)}/report`,
  /** The same for paper, for clients and administrators. */
  paper: (campaign: number | string) => `${PATHS.campaign(campaign)}/report/print`,
  statement: `${PATHS.client}/statement`,
  /** Of a client, for administrators. */
  statementOf: (client: number) => `${PATHS.client}/statement?client=${client}`,
} as const;
