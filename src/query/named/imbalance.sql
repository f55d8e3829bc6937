-- functions in which streams (ranks, threads) wait for the slowest, and which one that is
select s.metric, s.name, round(s.imbalance, 3) as imbalance, s.lost, s.max_stream as slowest, st.rank, st.thread, st.label
from spread s left join stream st on st.profile = s.profile and st.id = s.max_stream
where s.streams > 1
order by s.lost desc, s.name
limit 30;
