-- Keys by which other software calls. A row says nothing that opens anything: the key itself is stored as SHA-256.
CREATE TABLE `api_keys` (
  `id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `owner` integer NOT NULL REFERENCES `users`(`id`),
  `key_hash` text NOT NULL,
  `mode` text NOT NULL,
  `start` text NOT NULL,
  `label` text NOT NULL,
  `scopes` text NOT NULL,
  `addresses` text NOT NULL,
  `daily_limit` integer,
  `count_day` integer DEFAULT 0 NOT NULL,
  `count_calls` integer DEFAULT 0 NOT NULL,
  `created_at` integer NOT NULL,
  `expires_at` integer,
  `last_used_at` integer,
  `revoked_at` integer,
  `unconfirmed` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_key_hash_unique` ON `api_keys` (`key_hash`);
--> statement-breakpoint
CREATE INDEX `api_keys_owner` ON `api_keys` (`owner`, `id`);
