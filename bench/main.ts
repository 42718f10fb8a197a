/** `deno task bench [part …] [--json]`: measures the product on this machine, each figure beside its limit. */
import { browsers } from "./curves/browsers.ts";
import { campaigns } from "./curves/campaigns.ts";
import { contacts } from "./curves/contacts.ts";
import { latency } from "./curves/latency.ts";
import { phones } from "./curves/phones.ts";
import { costly } from "./costly.ts";
import { dispatch } from "./dispatch.ts";
import type { Part } from "./figure.ts";
import { fleet } from "./fleet.ts";
import { imports } from "./import.ts";
import { keys } from "./keys.ts";
import { listsPart } from "./lists.ts";
import { messages } from "./messages.ts";
import { login } from "./login.ts";
import { loop } from "./loop.ts";
import { preview } from "./preview.ts";
import { reads, readsByKey } from "./reads.ts";
import { runParts } from "./run_parts.ts";
import { screens } from "./screens_part.ts";
import { start } from "./start.ts";
import { stills } from "./stills.ts";
import { storm } from "./storm/storm.ts";
import { texts } from "./texts.ts";

const PARTS = [
  imports,
  preview,
  listsPart,
  dispatch,
  texts,
  screens,
  fleet,
  stills,
  storm,
  loop,
  reads,
  readsByKey,
  costly,
  login,
  keys,
  messages,
  start,
];
const CURVES = [contacts, phones, campaigns, browsers, latency];

// Curves double the time: measure them only on request.
const isPoint = ({ group }: Part) => group === undefined;
if (!await runParts([...PARTS, ...CURVES], Deno.args, isPoint)) Deno.exit(1);
