-- Of the team's own: a comma is missing.
SELECT count(*) AS wrong_keys min(`key`) AS least_key
FROM {{ mapping }};
