-- files with the most lines that no test ran
select source, lines - lines_hit as missed, lines, share(lines_hit, lines) as covered
from coverage
where lines_hit < lines
order by missed desc, source
limit 30;
