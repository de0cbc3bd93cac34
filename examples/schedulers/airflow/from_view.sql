-- Where Hive plans by itself (../visits_planned.yaml): a query on the view as anybody writes it. Without a plan it fails, rather than
-- read the whole table.
SET saltplan.required=true;
INSERT OVERWRITE TABLE web.visits
  PARTITION (opera_day = {{ data_interval_start.in_timezone("Asia/Shanghai") | ds_nodash }})
SELECT visit_id, user_id, page, seconds
FROM web.visits_view
WHERE opera_day = {{ data_interval_start.in_timezone("Asia/Shanghai") | ds_nodash }};
