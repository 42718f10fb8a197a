/** Measures the upload of a contact file to an edge in another process: HTTP, form, CSV, database, response. */
import { MAX_CONTACT_FILE_BYTES } from "shared/campaign.ts";
import { freePort } from "../e2e/product.ts";
import { median } from "./figure.ts";
import { cpuSecondsOf } from "./process_use.ts";
import { startEdge } from "./storm/process.ts";
import { makeStormWorld } from "./storm/world.ts";

export interface UploadFigures {
  rows: number;
  /** Median of the uploads, each to another campaign. */
  seconds: number;
  /** The edge's processor time for one upload. */
  cpuSeconds: number;
}

const UPLOADS = 5;
const NAMES = ["דנה כהן", "יוסי לוי", "רות מזרחי", "Avi Ben-David", "נועה אברהם"];
const CITIES = ["תל אביב", "חיפה", "ירושלים", "באר שבע"];

/** Uploads a customer list of the largest allowed size: name, number, city, mail and day, each number once. */
export async function measureUpload(): Promise<UploadFigures> {
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-upload-" });
  try {
    const { campaigns } = await makeStormWorld(`${dataDir}/shigur.db`, {
      sites: 0,
      clients: UPLOADS,
      browsersPerClient: 1,
      adminBrowsers: 0,
      contactsPerCampaign: 0,
    });
    const port = freePort();
    const edge = await startEdge(dataDir, port);
    try {
      const { file, rows } = makeCustomers(MAX_CONTACT_FILE_BYTES);
      const cpuBefore = cpuSecondsOf(edge.pid);
      const seconds: number[] = [];
      for (const campaign of campaigns) {
        seconds.push(await upload(`http://127.0.0.1:${port}`, campaign, file, rows));
      }
      const cpuSeconds = (cpuSecondsOf(edge.pid) - cpuBefore) / UPLOADS;
      return { rows, seconds: median(seconds), cpuSeconds };
    } finally {
      await edge.end();
    }
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

async function upload(
  edgeUrl: string,
  { id, session }: { id: number; session: string },
  file: Uint8Array<ArrayBuffer>,
  rows: number,
): Promise<number> {
  const body = new FormData();
  body.set("file", new File([file], "customers.csv"));
  const headers = { cookie: `shigur_session=${session}`, origin: edgeUrl };
  const began = performance.now();
  const response = await fetch(`${edgeUrl}/api/campaigns/${id}/contacts`, { method: "POST", headers, body });
  const answer = await response.json();
  const seconds = (performance.now() - began) / 1000;
  if (answer.total !== rows) {
    throw new Error(`Cannot count on this: ${response.status} ${JSON.stringify(answer)}`);
  }
  return seconds;
}

/** Returns as many rows as `maxBytes` can hold. */
function makeCustomers(maxBytes: number): { file: Uint8Array<ArrayBuffer>; rows: number } {
  const encoder = new TextEncoder();
  const file = new Uint8Array(maxBytes);
  let { written } = encoder.encodeInto("שם,נייד,עיר,דוא״ל,הצטרפות", file);
  for (let i = 0;; i++) {
    // A multiplier that shares no factor with 50,000,000 yields each number once.
    const number = String((i * 29_999_999) % 50_000_000).padStart(8, "0");
    const phone = `05${number[0]}-${number.slice(1)}`;
    const day = `${1 + i % 28}/0${1 + i % 9}/2025`;
    const row = encoder.encode(`\n${NAMES[i % 5]},${phone},${CITIES[i % 4]},user${i}@example.co.il,${day}`);
    if (written + row.byteLength > maxBytes) return { file: file.subarray(0, written), rows: i };
    file.set(row, written);
    written += row.byteLength;
  }
}
