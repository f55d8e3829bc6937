/* One planted defect for every rule of lcov, with severity and place; and for every rule a text that is nearly wrong but is not. */
#include "../planted.h"

#define S "SF:a.c\n"
#define END "end_of_record\n"
#define DA3 "DA:1,1\nDA:2,0\nDA:3,7\n"
#define LF3 "LF:3\nLH:2\n"

static const struct defect defects[] = {
    { "LC-1", E, "TN:\n@DA:1,1\n" S END },
    { "LC-1", E, "TN:\n@end_of_record\n" },
    { "LC-1", E, S DA3 END "@FNF:1\n" },
    { "LC-1", E, "@VER:1\n" S END },
    { "LC-2", E, S "@DB:1,1\n" END },
    { "LC-2", E, S "@da:1,1\n" END },
    { "LC-2", E, S "@hello\n" END },
    { "LC-2", E, S DA3 "@end_of_recor\n" END },
    { "LC-3", E, S "@DA:1\n" END },
    { "LC-3", E, S "@BRDA:1,0,0\n" END },
    { "LC-3", E, S "@FN:1\n" END },
    { "LC-3", E, S "@FN:1,\n" END },
    { "LC-3", E, S "@FN:1,2,\n" END },
    { "LC-3", E, S "@FNDA:1,\n" END },
    { "LC-3", E, S "@FNL:1\n" END },
    { "LC-3", E, S "FNL:1,1\n@FNA:1,5\n" END },
    { "LC-3", E, S "@MCDC:1,2,t,1,0\n" END },
    { "LC-4", E, S "@DA:1,\n" END },
    { "LC-4", E, S "@DA:,1\n" END },
    { "LC-4", E, S "@DA:x,1\n" END },
    { "LC-4", E, S "@DA:1,1.a0e+19\n" END },
    { "LC-4", E, S "@DA:2147483648,1\n" END },
    { "LC-4", E, S "@DA:99999999999999999999,1\n" END },
    { "LC-4", E, S "@BRDA:1,,0,1\n" END },
    { "LC-4", E, S "@BRDA:1,0,0,--\n" END },
    { "LC-4", E, S "@FN:x,f\n" END },
    { "LC-4", E, S "@FNDA:x,f\n" END },
    { "LC-4", E, S "@FNL:x,1\n" END },
    { "LC-4", E, S "@LF:\n" END },
    { "LC-4", E, S "@LH:-1\n" END },
    { "LC-4", E, S "@MCDC:1,x,t,1,0,a\n" END },
    { "LC-5", E, "@SF:\n" DA3 END },
    { "LC-6", E, S DA3 "@" },
    { "LC-6", E, S "DA:1,1\nDA:2,2\n@" },
    { "LC-7", W, S DA3 "@SF:b.c\n" DA3 END },
    { "LC-8", W, S "@DA:0,1\n" END },
    { "LC-8", W, S "@DA:-4,1\n" END },
    { "LC-8", W, S "@BRDA:0,0,0,1\n" END },
    { "LC-8", W, S "@MCDC:0,1,t,1,0,a\n" END },
    { "LC-9", W, S "@DA:1,-3\n" END },
    { "LC-9", W, S "FN:1,f\n@FNDA:-1,f\n" END },
    { "LC-9", W, S "@BRDA:1,0,0,-1\n" END },
    { "LC-10", W, S "@DA:1,18446744073709551616\n" END },
    { "LC-10", W, S "@DA:1,1.9e+19\n" END },
    { "LC-11", W, S "@FNDA:1,f\n" END },
    { "LC-11", W, S "FN:1,f\nFNDA:1,f\n@FNDA:1,g\n" END },
    { "LC-12", E, S "@FNA:0,1,f\n" END },
    { "LC-12", E, S "FNL:0,1\n" END "SF:b.c\n@FNA:0,1,f\n" END },
    { "LC-13", E, S "FNL:0,1\n@FNL:0,2\n" END },
    { "LC-14", W, S "FN:1,f\n@FN:2,f\n" END },
    { "LC-15", W, S "@FN:5,4,f\n" END },
    { "LC-15", W, S "FNL:0,5,4\n@FNA:0,1,f\n" END },
    { "LC-16", W, S DA3 "@LF:4\n" END },
    { "LC-16", W, S DA3 "LF:3\n@LH:3\n" END },
    { "LC-16", W, S "FN:1,f\nFN:1,g\n@FNF:3\n" END },
    { "LC-16", W, S "FN:1,f\nFNDA:1,f\n@FNH:0\n" END },
    { "LC-16", W, S "FN:1,f\nFN:5,f\nFN:9,f\nFNDA:1,f\nFNDA:2,f\nFNDA:0,f\n@FNH:3\n" END },
    { "LC-16", W, S "BRDA:1,0,0,1\nBRDA:1,0,1,-\n@BRF:3\n" END },
    { "LC-16", W, S "BRDA:1,0,0,1\nBRDA:1,0,1,-\n@BRH:2\n" END },
    { "LC-16", W, S "BRDA:1,0,0,1\nBRDA:1,U0,1,-\n@BRF:2\n" END },
    { "LC-16", W, S "MCDC:1,1,t,1,0,a\nMCDC:1,1,f,0,0,a\n@MCF:1\n" END },
    { "LC-16", W, S "MCDC:1,1,t,1,0,a\nMCDC:1,1,f,0,0,a\n@MCH:2\n" END },
    { "LC-17", W, S DA3 "LF:3\n@LH:9\n" END },
    { "LC-18", I, "TN:\n@" S DA3 END },
    { "LC-19", I, S DA3 "@BRDA:9,0,0,1\n" END },
    { "LC-19", I, S DA3 "@FN:9,f\n" END },
    { "LC-20", W, S DA3 "@FN:2,2,f\nFNDA:1,f\n" END },
    { "LC-20", W, S DA3 "@FN:1,2,f\nFNDA:0,f\n" END },
    { "LC-20", W, S DA3 "FNL:0,3,9\n@FNA:0,0,f\n" END },
    { "LC-21", W, S DA3 "@BRDA:2,0,0,1\n" END },
    { "LC-22", I, S DA3 "@BRDA:1,0,0,-\n" END },
    { "LC-23", I, S DA3 "@BRDA:1,0,0,0\nBRDA:1,0,1,0\n" END },
    { "LC-24", I, S "DA:1,1\n@DA:1,1\n" END },
    { "LC-25", I, S DA3 END "@" S DA3 END },
    { "LC-26", W, S "VER:1\n" END S "@VER:2\n" END },
    { "LC-27", E, S "@BRDA:1,x0,0,1\n" END },
    { "LC-27", E, S "@BRDA:1,Ue0,0,1\n" END },
    { "LC-28", E, S "@MCDC:1,2,t,1,2,a\n" END },
    { "LC-28", E, S "@MCDC:1,2,x,1,0,a\n" END },
    { "LC-29", W, S "@MCDC:1,2,t,1,0,a\nMCDC:1,2,f,1,0,a\nMCDC:1,2,t,1,1,b\n" END },
    { "LC-30", I, "TN:\n@" S END },
    { "LC-33", I, "@" S "FN:1,f\nFNL:0,2\nFNA:0,1,g\n" END },
};

static const struct defect near_misses[] = {
    { "LC-1", E, "# c\nTN:t\n\n" S DA3 END "TN:u\n" },
    { "LC-2", E, "\xef\xbb\xbfTN:\r\n# DB:1\r\nKF:a.c\r\nDA:1,1  \r\n\r\nend_of_record \r\n" },
    { "LC-3", E, S "FNL:0,1\nFNL:1,2,3\nFNA:1,5,operator,()\nBRDA:1,0,,1\nDA:1,1,x\n" END },
    { "LC-4", E, S "DA:2147483647,18446744073709551615\nDA:2,1.5e+19\nDA:3,2.0e+10\nDA:4,-0\nBRDA:1,007,a < b, c,-\n" END },
    { "LC-5", E, "SF: \xff\n" END },
    { "LC-6", E, S DA3 "end_of_record" },
    { "LC-7", W, S END "TN:t\n" S END },
    { "LC-8", W, S "DA:1,0\nFN:0,f\n" END },
    { "LC-9", W, S "DA:1,-0\nBRDA:1,0,0,-\nBRDA:1,0,1,-0\n" END },
    { "LC-10", W, S "DA:1,18446744073709551615\nDA:2,1.8e+19\n" END },
    { "LC-11", W, S "FNDA:1,f\nFN:1,f\n" END },
    { "LC-12", E, S "FNL:5,1\nFNA:5,1,f\nFNA:5,2,g\n" END },
    { "LC-13", E, S "FNL:0,1\nFNL:1,1\n" END S "FNL:0,1\n" END },
    { "LC-14", W, S "FN:1,f\nFN:1,f\n" END S "FN:2,f\n" END },
    { "LC-15", W, S "FN:5,5,f\nFN:6,g\n" END },
    { "LC-16", W, S "FN:1,f\nFN:5,f\nFN:9,f\nFNDA:1,f\nFNDA:2,f\nFNDA:0,f\nFNF:3\nFNH:2\n" END },
    { "LC-16", W,
      S
      "FN:1,f\nFN:1,g\nFNDA:1,f\nFNDA:1,g\nFNF:2\nFNH:1\nBRDA:1,U0,0,1\nBRDA:1,0,0,2\nBRDA:1,e0,0,1\nBRF:1\nBRH:1\nDA:1,1\nDA:1,1\nDA:0,1\nLF:1\nLH:1\n" END },
    { "LC-17", W, S DA3 "LH:2\nLF:2\n" END },
    { "LC-18", I, S DA3 LF3 END },
    { "LC-19", I, S DA3 "BRDA:2,0,0,-\nFN:1,f\n" END },
    { "LC-20", W, S DA3 "FN:1,3,f\nFNDA:1,f\nFN:2,2,g\nFNDA:0,g\nFN:6,5,h\nFNDA:1,h\nFN:8,9,i\nFNDA:1,i\n" END },
    { "LC-21", W, S DA3 "BRDA:2,0,0,0\nBRDA:1,0,0,1\nBRDA:2,U0,1,1\n" END },
    { "LC-22", I, S DA3 "BRDA:2,0,0,-\nBRDA:1,0,0,0\n" END },
    { "LC-23", I, S DA3 "BRDA:1,0,0,0\nBRDA:1,0,1,1\nBRDA:2,0,0,0\n" END },
    { "LC-24", I, S "DA:1,1\nDA:2,1\n" END S "DA:1,1\n" END },
    { "LC-25", I, S END "SF:b.c\n" END },
    { "LC-26", W, S "VER:1\n" END S END S "VER:1\n" END "SF:b.c\nVER:2\n" END },
    { "LC-27", E, S "BRDA:1,e0,0,1\nBRDA:1,f0,1,1\nBRDA:1,U0,2,1\nBRDA:1,eU0,3,1\nBRDA:1,fU0,4,-\n" END },
    { "LC-28", E, S "MCDC:1,2,t,1,1,a, b\nMCDC:1,U2,f,1,0,a\n" END },
    { "LC-29", W, S "MCDC:1,1,t,1,0,a\nMCDC:1,1,f,1,0,a\nMCDC:1,1,f,1,0,a\n" END },
    { "LC-30", I, S "DA:1,0\n" END },
    { "LC-33", I, S "FN:1,f\n" END "SF:b.c\nFNL:0,2\nFNA:0,1,g\n" END },
};

static const char *const rules[] = { "LC-1",  "LC-2",  "LC-3",  "LC-4",  "LC-5",  "LC-6",  "LC-7",  "LC-8",  "LC-9",  "LC-10", "LC-11",
                                     "LC-12", "LC-13", "LC-14", "LC-15", "LC-16", "LC-17", "LC-18", "LC-19", "LC-20", "LC-21", "LC-22",
                                     "LC-23", "LC-24", "LC-25", "LC-26", "LC-27", "LC-28", "LC-29", "LC-30", "LC-33", NULL };

enum { DEFECTS = sizeof defects / sizeof *defects, NEAR = sizeof near_misses / sizeof *near_misses };

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    each_defect_is_found_where_it_stands("lcov", defects, DEFECTS);
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("lcov", near_misses, NEAR);
}

static void every_rule_has_a_defect_and_a_near_miss(void **state)
{
    (void)state;
    every_rule_is_there(rules, defects, DEFECTS, near_misses, NEAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(every_rule_has_a_defect_and_a_near_miss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
