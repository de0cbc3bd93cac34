# An image that contains only the static saltplan:
#   docker build -t saltplan .
#   docker run --rm -v "$PWD:/work:ro" saltplan plan schemas/examples/md5_nibble_day.yaml "opera_day = 20200406"
FROM rust:1.95-alpine AS build
# hadolint ignore=DL3018
RUN apk add --no-cache musl-dev
WORKDIR /source
COPY Cargo.toml Cargo.lock build.rs ./
COPY crates crates
COPY src src
COPY schemas schemas
COPY docs docs
COPY benches benches
COPY tests tests
# At a fixed address a static program starts in half the time; with a target of its own the flag stays away from the macros of others.
RUN RUSTFLAGS="-C relocation-model=static" cargo build --profile dist --locked --bin saltplan --target "$(rustc --print host-tuple)"

FROM scratch
COPY --from=build /source/target/*/dist/saltplan /saltplan
COPY LICENSE-MIT LICENSE-APACHE THIRD-PARTY.txt /licenses/
WORKDIR /work
# The user nobody: the command reads what is mounted, and writes where the mount allows it.
USER 65534:65534
ENTRYPOINT ["/saltplan"]
