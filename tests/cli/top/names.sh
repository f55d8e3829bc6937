. "$CLI/lib.sh"
# Long names lose arguments, never the method; files and modules their folders; no module is named twice. JSON and CSV keep all.
cat >n <<'END'
events: Ir
ob=/usr/lib64/libpthread-2.28.so
fl=[libpthread-2.28.so]
fn=pthread_spin_lock [libpthread-2.28.so]
1 40
ob=/usr/lib64/libstdc++.so.6
fl=/usr/include/c++/12/bits/regex_compiler.tcc
fn=std::__detail::_Compiler<std::__cxx11::regex_traits<char> >::_M_expression_term<true, false>(std::pair<bool, char>&, std::__detail::_BracketMatcher<std::__cxx11::regex_traits<char>, true, false>&)
300 30
fn=bool std::operator< <char, std::char_traits<char>, std::allocator<char> >(std::__cxx11::basic_string<char> const&, char const*)
310 20
cfn=std::unique_ptr<a::very::long_name::of_a_class::that_does_not_fit, std::default_delete<a::very::long_name> >::operator->() const
calls=1 320
310 10
fn=std::unique_ptr<a::very::long_name::of_a_class::that_does_not_fit, std::default_delete<a::very::long_name> >::operator->() const
320 10
fn=/usr/lib64/libstdc++.so.6+0x40
0 5
fn=a<b<c(((<
1 1
END
"$ASSAY" top n
"$ASSAY" top --full-names --limit 2 n
"$ASSAY" top --csv --limit 2 n
"$ASSAY" callers 'operator<' n
"$ASSAY" tree --bottom-up --limit 3 n
grep -v 'ob=/usr/lib64/libpthread' n >one
"$ASSAY" top --limit 2 one
