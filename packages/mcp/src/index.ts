/**
 * The MCP proxy: any MCP server behind the gate.
 * @module
 */
export type { AdvertisedTool, Catalogue, ToolStanding } from './catalogue.ts'
export { type ChildServer, openChildLink } from './child-link.ts'
export { coverAddresses, isPlainAddress } from './covered-words.ts'
export {
  type CatalogueNote,
  type CatalogueOptions,
  createCatalogue,
  type Meeting,
  meetServer,
} from './create-catalogue.ts'
export { createGatekeeper, type GatekeeperOptions } from './create-gatekeeper.ts'
export type { FindPointer } from './elicit/front-end.ts'
export type { Pointer } from './elicit/pointer.ts'
export type { Asked, CallEnd, Era, Exchange, Fate, Gatekeeper } from './gatekeeper.ts'
export type { HoldOptions } from './hold-limits.ts'
export { openAddressLink } from './http/address-link.ts'
export { isLoopback } from './http/allowed-hosts.ts'
export type { ClientSeat } from './http/http-clients.ts'
export { type Listening, type ListenOptions, startListening } from './http/listen.ts'
export { type OwnHeaders, openUpstream, readAddress, type Upstream } from './http/upstream.ts'
export type { UrlServer } from './http/url-link.ts'
export { compileDenied } from './method-name.ts'
export { acceptTools, forgetTools, type ShownTool } from './pins/accept.ts'
export { type DefinitionLine, diffDefinitions } from './pins/definition-lines.ts'
export type { OddText } from './pins/odd-text.ts'
export type { PinWord } from './pins/pin-signature.ts'
export { knownLabels, type LabelView, type ServerView, type ToolView, viewLabel } from './pins/pin-view.ts'
export { openQuarantine } from './pins/quarantine.ts'
export { type ServerAddress, type ServerIdentity, serverIdentity } from './pins/server-identity.ts'
export { type Relay, type RelayOptions, startRelay } from './relay.ts'
export type { RelayEnd } from './relay-ending.ts'
export { serverLabel } from './server-label.ts'
export type { LinkEnd, LinkListener, ServerLink } from './server-link.ts'
export type { SignInQuestion } from './sign-in/agree-places.ts'
export type { Bearer } from './sign-in/bearer.ts'
export { openKeptBearer } from './sign-in/kept-bearer.ts'
export { type KeptSignIn, openSignInPlace, type SignInPlace } from './sign-in/kept-sign-in.ts'
export { loadOAuth } from './sign-in/load-oauth.ts'
export { listenForRedirect, type Redirect, type RedirectAnswer } from './sign-in/redirect-listener.ts'
export { readSignInAddress } from './sign-in/safe-address.ts'
export type { Client } from './wrap/client-table.ts'
export type { Surroundings } from './wrap/find-configs.ts'
export type { Gates } from './wrap/gate-standing.ts'
export type { Installation } from './wrap/installation.ts'
export type { Labels } from './wrap/labels.ts'
export { loadWrapping } from './wrap/load-wrapping.ts'
export type { ConfigPlan, PlannedServer } from './wrap/plan.ts'
export type { WrapOptions } from './wrap/plan-wrap.ts'
export type { PlacedFile } from './wrap/read-config.ts'
export { HEADERS_VARIABLE, readHeaders, URL_VARIABLE } from './wrap/wrapped-line.ts'
