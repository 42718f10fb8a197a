import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Send } from "lucide-react";
import type { AlertChannel, AlertMessage, OutsideAlerts } from "shared/admin_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { showFailure } from "../../ui/show_failure.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { showToast } from "../../ui/toast_store.ts";
import { outsideQuery } from "./get_alerts.ts";
import { failureText, messageText, OUTSIDE } from "./text.ts";

type Kind = OutsideAlerts["kinds"][number];

/** Which alerts leave the browser, whether each way out works, and a test of it. No address is shown or asked. */
export function OutsideCard({ now }: { now: number }) {
  const outside = useQuery(outsideQuery);
  const cache = useQueryClient();
  const choose = useMutation({
    mutationFn: ({ code, email, webhook }: Kind) =>
      apiJson<OutsideAlerts>("PUT", "/api/admin/alerts/outside", {
        body: { kinds: [{ code, email, webhook }] },
      }),
    onSuccess: (saved) => cache.setQueryData(outsideQuery.queryKey, saved),
    onError: (error) => showFailure(OUTSIDE.saveFailed, error, OUTSIDE.refused),
  });
  // The choice shows at once; a refusal brings the saved one back.
  const kinds = outside.data?.kinds.map((kind) =>
    choose.isPending && kind.code === choose.variables.code ? choose.variables : kind
  );
  return (
    <section className="sheet mt-4 max-w-[1080px] px-6 pt-5 pb-4" aria-labelledby="outside">
      <h2 id="outside" tabIndex={-1} className="scroll-mt-20 text-lg font-bold">{OUTSIDE.heading}</h2>
      <p className="mt-1 text-sm text-ink-2">{OUTSIDE.hint}</p>
      {outside.isPending && <Skeleton text={OUTSIDE.loading} rows={4} />}
      {outside.isError && !outside.data && (
        <FailedBox title={OUTSIDE.failed} error={outside.error} onRetry={outside.refetch} />
      )}
      {outside.data && kinds && (
        <>
          <ul className="divide-y divide-base-300">
            {outside.data.channels.map((channel) => <Channel key={channel.channel} now={now} {...channel} />)}
          </ul>
          <div
            className="relative mt-2 overflow-x-auto"
            tabIndex={0}
            role="region"
            aria-label={OUTSIDE.region}
          >
            <table className="grid-table">
              <thead>
                <tr>
                  <th>{OUTSIDE.kind}</th>
                  <th>{OUTSIDE.channels.email}</th>
                  <th>{OUTSIDE.channels.webhook}</th>
                </tr>
              </thead>
              {(["error", "warning"] as const).map((type) => (
                <tbody key={type}>
                  <tr className="bg-sunk">
                    <th scope="colgroup" colSpan={3}>
                      {type === "error" ? OUTSIDE.errors : OUTSIDE.warnings}
                    </th>
                  </tr>
                  {kinds.filter((kind) => kind.type === type).map((kind) => (
                    <tr key={kind.code}>
                      <td>{kind.label}</td>
                      {(["email", "webhook"] as const).map((channel) => (
                        <td key={channel}>
                          <input
                            type="checkbox"
                            className="checkbox checkbox-sm"
                            aria-label={OUTSIDE.choose(kind.label, OUTSIDE.channels[channel])}
                            checked={kind[channel]}
                            onChange={(event) =>
                              choose.mutate({ ...kind, [channel]: event.currentTarget.checked })}
                          />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              ))}
            </table>
          </div>
        </>
      )}
    </section>
  );
}

type ChannelProps = OutsideAlerts["channels"][number] & { now: number };

function Channel({ channel, isSetUp, lastTest, lastFailure, now }: ChannelProps) {
  const test = useTest(channel);
  const name = OUTSIDE.channels[channel];
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-4">
      <div className="min-w-0 grow basis-64">
        <h3 className="font-semibold">{name}</h3>
        <p className="text-sm text-ink-2">{isSetUp ? OUTSIDE.setUp : OUTSIDE.notSetUp[channel]}</p>
        {lastTest && <Result lead={OUTSIDE.lastTest} message={lastTest} now={now} />}
        {lastFailure && <Result lead={OUTSIDE.lastFailure} message={lastFailure} now={now} />}
      </div>
      {isSetUp && (
        <BusyButton
          className="btn-secondary btn-sm"
          aria-label={OUTSIDE.testOf(name)}
          busy={test.isPending}
          busyText={OUTSIDE.testing}
          onClick={() => test.mutate()}
        >
          <Send className="size-4" />
          {OUTSIDE.test}
        </BusyButton>
      )}
    </li>
  );
}

function Result({ lead, message, now }: { lead: string; message: AlertMessage; now: number }) {
  const isBad = message.state === "failed" || message.state === "unknown";
  return (
    <p className={`mt-1 text-sm ${isBad ? "tone-bad text-tone" : "text-ink-3"}`}>
      {lead} {messageText(message, now)}
    </p>
  );
}

function useTest(channel: AlertChannel) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => apiJson<AlertMessage>("POST", "/api/admin/alerts/test", { body: { channel } }),
    onSuccess: (message) => {
      if (message.state === "sent") showToast({ title: OUTSIDE.testSent, tone: "ok" });
      else showToast({ title: OUTSIDE.testUndelivered, description: failureText(message), tone: "bad" });
    },
    onError: (error) => showFailure(OUTSIDE.testFailed, error, OUTSIDE.refused),
    onSettled: () => cache.invalidateQueries({ queryKey: outsideQuery.queryKey }),
  });
}
