"""A root with libraries for musl: Debian's sources of them, built with musl-gcc, each as one archive to link with."""
import os
import shutil
import subprocess

SUITE = "bookworm"
PROGRAMS = ("apt-get", "cmake", "make", "perl", "tar", "tclsh")
# What assay calls are digests; the rest would take minutes.
CRYPTO = """no-shared no-tests no-asm no-async no-afalgeng no-secure-memory no-engine no-dso no-legacy no-cms no-ct no-ocsp no-ts no-srp no-psk no-comp no-ec no-dh no-dsa no-aria
    no-bf no-blake2 no-camellia no-cast no-chacha no-cmac no-des no-gost no-idea no-mdc2 no-ocb no-poly1305 no-rc2 no-rc4 no-rmd160 no-scrypt no-seed no-siphash no-siv no-sm2
    no-sm3 no-sm4 no-sock no-ssl no-tls no-dtls no-whirlpool no-cmp no-rfc3779 no-srtp no-ui-console no-err"""
CONFIGURE = "./configure --host=x86_64-linux-musl --disable-shared --prefix=$ROOT"
CMAKE = "cmake -B made -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DCMAKE_INSTALL_PREFIX=$ROOT -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_C_COMPILER=musl-gcc"

# Debian's name of a source, and what a shell does in it. The last is there when all are.
RECIPES = {
    "zlib": "./configure --static --prefix=$ROOT && make install",
    "libzstd": "make -C lib libzstd.a && make -C lib install-static install-includes install-pc PREFIX=$ROOT",
    "xxhash": "make libxxhash.a libxxhash.pc PREFIX=$ROOT && cp xxhash.h xxh3.h $ROOT/include && cp libxxhash.a $ROOT/lib && cp libxxhash.pc $ROOT/lib/pkgconfig",
    "pcre2": f"{CONFIGURE} && make libpcre2-8.la && cp .libs/libpcre2-8.a $ROOT/lib && cp src/pcre2.h $ROOT/include && cp libpcre2-8.pc $ROOT/lib/pkgconfig",
    "expat": f"cd expat && {CMAKE} -DEXPAT_SHARED_LIBS=OFF -DEXPAT_BUILD_TOOLS=OFF -DEXPAT_BUILD_TESTS=OFF -DEXPAT_BUILD_EXAMPLES=OFF -DEXPAT_BUILD_DOCS=OFF && ninja -C made install",
    "xz-utils": f"{CONFIGURE} --disable-xz --disable-xzdec --disable-lzmadec --disable-lzmainfo --disable-scripts --disable-doc && make install",
    "libyaml": f"{CMAKE} -DBUILD_TESTING=OFF -DINSTALL_CMAKE_DIR=$ROOT/lib/cmake && ninja -C made install && "
               "printf 'Name: yaml\\nDescription: YAML\\nVersion: 0.2.5\\nLibs: -L%s/lib -lyaml\\nCflags: -I%s/include\\n' $ROOT $ROOT >$ROOT/lib/pkgconfig/yaml-0.1.pc",
    "libiberty": "cd libiberty && ./configure --host=x86_64-linux-musl --prefix=$ROOT --enable-install-libiberty && make install",
    "sqlite3": f"{CONFIGURE} --disable-tcl --disable-readline && make sqlite3.c && $CC $CFLAGS -DSQLITE_ENABLE_COLUMN_METADATA -c sqlite3.c && ar rcs $ROOT/lib/libsqlite3.a sqlite3.o && "
               "cp sqlite3.h $ROOT/include && cp sqlite3.pc $ROOT/lib/pkgconfig",
    "openssl": f"./Configure linux-x86_64 --prefix=$ROOT --libdir=lib {' '.join(CRYPTO.split())} && make build_generated && make libcrypto.a libcrypto.pc && "
               "cp libcrypto.a $ROOT/lib && cp libcrypto.pc $ROOT/lib/pkgconfig && cp -r include/openssl $ROOT/include",
    "cmocka": f"sed -i 's/}} SHARED /}} STATIC /' src/CMakeLists.txt && {CMAKE} -DWITH_EXAMPLES=OFF && ninja -C made install",
}


def archive():
    """Where this machine has its packages of the suite from."""
    targets = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME) $(COMPONENT)", "Created-By: Packages"], capture_output=True, text=True, check=True)
    return next(line.split()[0] for line in targets.stdout.splitlines() if line.split()[1:] == [SUITE, "main"])


def fetch(folder, run):
    """Debian's source archives, by a list of packages of their own."""
    for name in ("lists/partial", "archives"):
        (folder / name).mkdir(parents=True)
    (folder / "sources.list").write_text(f"deb-src {archive()} {SUITE} main\n")
    apt = ["apt-get", "-q", "-o", f"Dir::Etc::sourcelist={folder}/sources.list", "-o", "Dir::Etc::sourceparts=/dev/null", "-o", f"Dir::State::lists={folder}/lists",
           "-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache=", "-o", "APT::Sandbox::User=root"]
    return run(*apt, "update") and run(*apt, "source", "--download-only", *RECIPES, cwd=folder / "archives")


def make_root(root, run):
    """Whether there is one. run: starts a program, and says whether it went well."""
    if (root / "complete").exists():
        return True
    shutil.rmtree(root, ignore_errors=True)
    for name in ("lib/pkgconfig", "include", "source"):
        (root / name).mkdir(parents=True)
    env = {**os.environ, "ROOT": str(root), "CC": "musl-gcc", "CFLAGS": "-O2 -fPIC"}
    if not fetch(root / "source", run):
        return False
    for name, recipe in RECIPES.items():
        archive = next(path for path in (root / "source/archives").glob(f"{name}_*.orig.tar.*") if path.suffix != ".asc")
        (root / "source" / name).mkdir()
        if not run("tar", "-xf", archive, "-C", root / "source" / name, "--strip-components=1") or not run("sh", "-ec", recipe, cwd=root / "source" / name, env=env):
            return False
    shutil.rmtree(root / "source")
    (root / "complete").touch()
    return True
