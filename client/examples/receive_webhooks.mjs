// A server that takes webhooks: it checks each, and does nothing for an event that it knows.
import { createServer } from "node:http";
import process from "node:process";
import { eventsOf, verifyWebhook, WebhookError } from "@shigur/client";

const known = new Set(); // In your program: a table with the event's id as its key.

createServer(async (request, response) => {
  try {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const call = await verifyWebhook({ body, headers: request.headers, secret: process.env.SHIGUR_SECRET });
    for (const { id, type, data } of eventsOf(call)) {
      if (known.has(id)) continue;
      known.add(id);
      console.log(type, JSON.stringify(data));
    }
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookError ? 401 : 500).end();
  }
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("listening"));
