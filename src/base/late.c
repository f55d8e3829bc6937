/* Libraries loaded by dlopen; see base/late.h. */
#include "base/late.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int fill(struct late_library *l, assay_error *err)
{
    void *library = dlopen(l->soname, RTLD_NOW | RTLD_LOCAL);
    if (!library) FAIL(err, ASSAY_ERR_UNSUPPORTED, "the library %s cannot be loaded; install it to do this", l->soname);
    for (size_t i = 0; i < l->count; i++) {
        void *function = dlsym(library, l->names[i]);
        if (!function)
            FAIL(err, ASSAY_ERR_UNSUPPORTED, "the library %s has no function %s: it is another version than assay was built with", l->soname, l->names[i]);
        memcpy((char *)l->table + i * sizeof function, &function, sizeof function);
    }
    return 0;
}

int late_load(struct late_library *l, assay_error *err)
{
    if (__atomic_load_n(&l->is_loaded, __ATOMIC_ACQUIRE)) return 0;
    pthread_mutex_lock(&lock);
    int rc = l->is_loaded ? 0 : fill(l, err);
    if (rc == 0) __atomic_store_n(&l->is_loaded, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    return rc;
}
