export { isStoreAddress } from './connection/address.ts'
export type { ListenerState } from './listen/change-listener.ts'
export { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from './postgres-store.ts'
