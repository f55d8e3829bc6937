. "$CLI/lib.sh"
# Names that are markup stay text; the picture asks for nothing from elsewhere.
printf 'main;a<b>&"c" 3\nmain;\377\033 1\n;x 1\n' >a.folded
"$ASSAY" flame --title 'T & <U>' a.folded -o a.svg
python3 - <<'END'
import re
import xml.etree.ElementTree as E
text = open("a.svg", encoding="utf-8").read()
root = E.fromstring(text)
space = "{http://www.w3.org/2000/svg}"
print(root.find(space + "title").text)
for g in root.find(f"{space}g[@id='boxes']"):
    print(ascii(g.find(space + "title").text))
print(sorted(set(re.findall(r'(?:href|src|url)[=(][^ ]*|https?:[^" ]*', text))))
END
"$ASSAY" flame --width 300 a.folded | head -c 200 | sed -n 's/.*\(viewBox="[^"]*"\).*/\1/p'
