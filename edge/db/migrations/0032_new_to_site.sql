-- Whether the site of the row's last lease was not the site of the lease before it: the lease then told it a number.
ALTER TABLE `deliveries` ADD `is_new_to_site` integer DEFAULT 0 NOT NULL;
