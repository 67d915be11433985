export { isStoreAddress, parseStoreAddress, type StoreAddress } from './connection/address.ts'
export { checkSchema, type Migrated, migrateSchema, readSchema, type SchemaState } from './schema/schema-version.ts'
