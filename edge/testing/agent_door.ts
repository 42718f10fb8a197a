/** The agents' doors on a real port; the outbox is followed as in production. */
import { createSite } from "../sites/create_site.ts";
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { type AgentHub, createAgentHub } from "../sites/hub.ts";
import { agentRoutes } from "../sites/routes.ts";
import type { Attempt } from "../http/attempts.ts";
import { onError } from "../http/on_error.ts";
import { createRouter } from "../http/router.ts";
import { createTail } from "../live/tail.ts";
import { sleep } from "../time/sleep.ts";
import { FakeSite } from "./fake_agent.ts";
import { type Fleet, openFleet } from "./fleet.ts";

export interface AgentDoorTest extends AsyncDisposable {
  fleet: Fleet;
  hub: AgentHub;
  origin: string;
  /** Everything that the door reported, in order. */
  attempts: Attempt[];
  /** Creates a site and enrols a machine through the door. */
  enroll(): Promise<FakeSite>;
}

let sites = 0;

export interface AgentDoorOptions {
  deadSocketMs?: number;
  createYieldToEventLoop?: () => YieldToEventLoop;
}

/** Serves the doors over a fresh database until disposed. */
export async function openAgentDoor(
  { deadSocketMs, createYieldToEventLoop }: AgentDoorOptions = {},
): Promise<AgentDoorTest> {
  const fleet = await openFleet();
  const { ctx } = fleet;
  const hub = createAgentHub();
  const tail = createTail({
    db: ctx.db,
    log: ctx.log,
    sleep,
    browsers: { deliver: () => {}, flush: () => null },
    deliverToAgents: hub.deliver,
  });
  ctx.wakeOutbox = tail.wake;
  const stop = new AbortController();
  const running = tail.run(stop.signal);
  const attempts: Attempt[] = [];
  const sawAttempt = (attempt: Attempt) => void attempts.push(attempt);
  const app = createRouter();
  app.onError(onError(ctx));
  app.route(
    "/",
    agentRoutes(ctx, { hub, joinOutbox: tail.join, deadSocketMs, sawAttempt, createYieldToEventLoop }),
  );
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, app.fetch);
  const origin = `http://127.0.0.1:${server.addr.port}`;
  return {
    fleet,
    hub,
    origin,
    attempts,
    async enroll() {
      const { joinToken } = await createSite(ctx, `דלת ${++sites}`);
      return await FakeSite.enroll(origin, joinToken, ctx.now);
    },
    async [Symbol.asyncDispose]() {
      hub.closeAll();
      await server.shutdown();
      stop.abort();
      await running;
      await fleet[Symbol.asyncDispose]();
    },
  };
}
