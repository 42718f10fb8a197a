import type { Report } from "shared/report_api.ts";
import { appName } from "../../text/admin_devices.ts";
import { formatNumber } from "../../text/format.ts";
import { Num } from "../../ui/num.tsx";
import { ReportTable, Section } from "./section.tsx";
import { REPORT } from "./text.ts";

/** Outcomes by sending account, for administrators. */
export function PlaceSection({ places }: { places: NonNullable<Report["places"]> }) {
  return (
    <Section id="places-h" heading={REPORT.places}>
      {places.length === 0 ? <p className="text-sm text-ink-2">{REPORT.noTimes}</p> : (
        <ReportTable
          caption={REPORT.places}
          heads={[REPORT.site, REPORT.account, REPORT.sent, REPORT.failedCount, REPORT.unknown]}
        >
          {places.map(({ site, name, account, sent, failed, unknown }, index) => (
            <tr key={index}>
              <td className="max-w-40 truncate print:whitespace-normal">
                <bdi>{site}</bdi>
              </td>
              <th scope="row" className="max-w-56 truncate print:whitespace-normal text-start">
                <bdi>{name}</bdi> <bdi className="text-xs font-normal text-ink-3">{appName(account)}</bdi>
              </th>
              {[sent, failed, unknown].map((count, column) => (
                <td key={column}>
                  <Num>{formatNumber(count)}</Num>
                </td>
              ))}
            </tr>
          ))}
        </ReportTable>
      )}
    </Section>
  );
}
