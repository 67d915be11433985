/** Environment variables that can subvert the gate. */
import { hash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import type { Json, JsonObject } from '@countersign/core'
import { isJsonObject } from '@countersign/core'
import type { ClientShape } from '../config/clients.ts'
import type { Launcher } from './installation.ts'

/**
 * SECURITY: A1 variables that load other code into the gate or weaken its connection to a server: of the dynamic loader, Node,
 * OpenSSL, the C library, and the shell of a launcher script. `HOME` is missing because the gate ignores it, `HTTPS_PROXY`
 * because Node only uses it with `NODE_USE_ENV_PROXY`.
 */
const HAZARDOUS = new RegExp(
  `^(?:${[
    'LD_[A-Z0-9_]+',
    'DYLD_[A-Z0-9_]+',
    'NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED|USE_SYSTEM_CA|USE_ENV_PROXY|COMPILE_CACHE|V8_COVERAGE)',
    'NODE_(?:PRESERVE_SYMLINKS|PRESERVE_SYMLINKS_MAIN|REPL_EXTERNAL_MODULE|ICU_DATA|CHANNEL_FD|REDIRECT_WARNINGS)',
    'NODE_(?:DEBUG|DEBUG_NATIVE|INSPECT_RESUME_ON_START|SNAPSHOT_[A-Z_]+)',
    'OPENSSL_[A-Z0-9_]+',
    'SSL_CERT_(?:FILE|DIR)',
    'SSLKEYLOGFILE',
    'GCONV_PATH',
    'GLIBC_TUNABLES',
    'BASH_ENV',
    'BASH_FUNC_.*',
    'SHELLOPTS',
    'BASHOPTS',
    'PS4',
    'ENV',
  ].join('|')})$`,
)

/** A variable that can change what the gate does; undefined when there is none. */
export function hazardousVariable(env: Json | undefined, launcher: Launcher): string | undefined {
  if (!isJsonObject(env)) return undefined
  const isPathSearched = !startsNode(launcher)
  return Object.keys(env).find((name) => HAZARDOUS.test(name) || (isPathSearched && name === 'PATH'))
}

/**
 * Whether the first word is Node, by its absolute path, before a script. Anything else depends on the `PATH`: a bare name, and a
 * script whose first line makes `env` search for `node`.
 */
function startsNode([program = '', ...rest]: Launcher): boolean {
  return isAbsolute(program) && rest.length > 0
}

/** The same for a whole server entry; an `envFile` counts too, because its content is unknown. */
export function hazardousMember(data: JsonObject, shape: ClientShape, launcher: Launcher): string | undefined {
  return hazardousVariable(data[shape.env], launcher) ?? (data['envFile'] === undefined ? undefined : 'envFile')
}

/** A hash of what `hazardousMember` checks, wherever it is written: in TOML that may be a separate table. */
export function environmentHash(data: JsonObject, shape: ClientShape): string {
  return hash('sha256', JSON.stringify([data[shape.env] ?? null, data['envFile'] ?? null]), 'hex')
}
