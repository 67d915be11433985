/**
 * The MCP proxy: any MCP server behind the gate.
 * @module
 */

export type { CallEnd, Exchange, Gatekeeper, MessageAction, SentRequest } from './gatekeeper/call/exchange.ts'
export type { FindHeldCallLink, HeldCallLink } from './gatekeeper/client-prompt.ts'
export { createGatekeeper, type GatekeeperOptions } from './gatekeeper/create-gatekeeper.ts'
export type { HoldOptions } from './gatekeeper/hold-timing.ts'
export { openHttpLink } from './http/link/http-link.ts'
export type { HttpServerOptions } from './http/link/streamable-http-link.ts'
export { isLoopback } from './http/listener/allowed-hosts.ts'
export type { ClientContext } from './http/listener/clients.ts'
export { type Listening, type ListenOptions, startListening } from './http/listener/listen.ts'
export type { Bearer } from './http/upstream/authorized-request.ts'
export { type OwnHeaders, openUpstream, readServerUrl, type Upstream } from './http/upstream/upstream.ts'
export { isPlainUrl, redactUrls } from './identity/redacted-command.ts'
export { type ServerIdentity, type ServerTarget, serverIdentity } from './identity/server-identity.ts'
export { serverLabel } from './identity/server-label.ts'
export { acceptTools, forgetTools, type ShownTool } from './pins/accept.ts'
export type { AdvertisedTool, Catalogue, ToolStatus } from './pins/catalogue.ts'
export {
  type CatalogueNote,
  type CatalogueOptions,
  contactServer,
  createCatalogue,
  type ServerContact,
} from './pins/create-catalogue.ts'
export { openQuarantine } from './pins/quarantine.ts'
export type { PinOrigin } from './pins/signature.ts'
export type { OddText } from './pins/suspicious-text.ts'
export {
  type DefinitionLine,
  diffDefinitions,
  knownLabels,
  type LabelView,
  type ServerView,
  type ToolView,
  viewLabel,
} from './pins/view.ts'
export { type ChildServer, openChildLink } from './relay/child-process-link.ts'
export type { RelayEnd } from './relay/ending.ts'
export { type Relay, type RelayOptions, startRelay } from './relay/relay.ts'
export type { LinkEnd, LinkListener, ServerLink } from './relay/server-link.ts'
export type { SignInQuestion } from './sign-in/issuer-origins.ts'
export { listenForRedirect, type Redirect, type RedirectAnswer } from './sign-in/redirect-listener.ts'
export { readSignInUrl } from './sign-in/safe-url.ts'
export { openSignInStore, type SignInStore, type StoredSignIn } from './sign-in/sign-in-store.ts'
export { loadOAuth, openStoredBearer } from './sign-in/stored-bearer.ts'
export type { Protocol } from './wire/client-info.ts'
export { compileDenied } from './wire/method-name.ts'
export type { PlacedFile, SearchScope } from './wrap/config/client-files.ts'
export type { Client } from './wrap/config/clients.ts'
export { HEADERS_VARIABLE, readHeaders, URL_VARIABLE } from './wrap/entry/command-line.ts'
export type { Gates } from './wrap/entry/gate-status.ts'
export type { Installation } from './wrap/entry/installation.ts'
export { loadWrapping } from './wrap/load-wrapping.ts'
export type { Labels } from './wrap/plan/labels.ts'
export type { ConfigPlan, PlannedServer } from './wrap/plan/plan.ts'
export type { WrapOptions } from './wrap/plan/wrap.ts'
