-- Whether its site holds a phone stopped, as the site said last. `stopped` is what people asked for.
ALTER TABLE `devices` ADD COLUMN `site_stopped` integer;
