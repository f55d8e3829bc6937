/* The class or package in the name of a function: what stands before its last part.
 *
 *     ns::Box<int>::get(std::string)   ns::Box<int>      C++, Perl, Rust, PHP
 *     Cart->add                        Cart              Xdebug
 *     com.shop.Cart.add                com.shop.Cart     Java, Python, JavaScript
 *     net/http.(*conn).serve           net/http.(*conn)  Go
 *     parse.constprop.0, {main}        nothing: what compilers and engines add is no class */
#ifndef ANALYSIS_CORE_CLASS_NAME_H
#define ANALYSIS_CORE_CLASS_NAME_H

#include "assay/model.h"

/* A part of `name`; empty = it has none. Template arguments, parameters and paths of files are no separators. Cost: in proportion to the name. */
assay_slice class_name(assay_slice name);

#endif
