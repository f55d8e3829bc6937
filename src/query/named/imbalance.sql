-- functions in which streams (ranks, threads) wait for the slowest, and which one that is
select s.metric, s.name, round(s.imbalance, 3) as imbalance, (s.max - s.mean) * s.streams as lost, st.label as slowest
from spread s left join stream st on st.profile = s.profile and st.id = s.max_stream
where s.streams > 1
order by lost desc, s.name
limit 30;
