import type { Quarantine, Telemetry } from '@countersign/core'
import type { Home, OpenOptions } from '@countersign/node'

/** How to start the service of a home. */
export interface ServiceOptions extends Pick<OpenOptions, 'bounds' | 'managed' | 'checkers'> {
  readonly home: Home
  readonly version: string
  /** The inbox's port; the remembered one when absent, else 4180, else a free one. */
  readonly port?: number
  /** Where the person's own proxy shows the inbox: `https://gate.example`. */
  readonly publicUrl?: URL
  /** Another path for the askers' socket, and the group that may open it. */
  readonly socket?: { readonly path: string; readonly group?: number }
  /** The only folders, with all below, that askers may name as their workspace. Absent: any that is a project's. */
  readonly workspaces?: readonly string[]
  /** Askers over loopback TCP too, with the token of the home. 0: any free port. */
  readonly askingPort?: number
  /** Askers in web pages too, with the same token: pages of exactly these origins. Port 0: any free port. */
  readonly pages?: { readonly port: number; readonly origins: readonly string[] }
  /** Files and folders of the program, for askers to test. Absent: Node and the script it was started with. */
  readonly program?: readonly string[]
  /** The folder of the inbox's built files, which are read once. */
  readonly inbox?: string
  /** Also serve metrics, health and readiness on this loopback port, without a sign-in. 0: any free port. */
  readonly metricsPort?: number
  /** Observes every call of the service, beside its own metrics. */
  readonly telemetry?: Telemetry
  /** Hears, in one line each, what is wrong with notifications. */
  readonly report?: (line: string) => void
  /** Tools of MCP servers that wait for a person. Absent: none ever do. */
  readonly quarantine?: Quarantine
}
