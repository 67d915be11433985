import { assessCompose, assessDocker } from '../containers/docker.ts'
import { assessEngine, assessImages } from '../containers/images.ts'
import { type ProgramRow, READS, SMALL } from './program-row.ts'

/** Programs for containers. */
export const CONTAINERS: readonly ProgramRow[] = [
  ['docker podman nerdctl finch', assessDocker],
  ['docker-compose podman-compose', assessCompose],
  ['skopeo crane gcrane oras regctl regclient cosign buildah dive', assessImages],
  ['lazydocker ctop grype syft container-structure-test', READS],
  ['colima lima limactl orb orbctl devcontainer', SMALL],
  ['ctr crictl runc crun', assessEngine],
]
