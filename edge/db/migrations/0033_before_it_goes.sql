-- A send may wait some seconds, in which its client can take it back. Until `starts_at` nothing is leased; null = at once.
ALTER TABLE `campaigns` ADD `starts_at` integer;--> statement-breakpoint
-- When sites were told that its time had come.
ALTER TABLE `campaigns` ADD `start_told_at` integer;--> statement-breakpoint
-- When a delivery of it was first leased since its send: from then on it cannot be taken back.
ALTER TABLE `campaigns` ADD `first_leased_at` integer;
