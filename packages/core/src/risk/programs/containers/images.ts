import { byRows } from '../assessor/verb-table.ts'

const READS = 'only reads'
const SHARED =
  '--tls-verify --authfile --creds --src-creds --dest-creds --cert-dir --override-arch --override-os --platform -t --tag ' +
  '-f --file --format --key --certificate-identity --certificate-oidc-issuer -u --username -p --password'

/** `crictl`, `ctr`, `runc`: the engine below the containers. */
export const assessEngine = byRows({
  family: 'containers',
  valued: '-r --runtime-endpoint -n --namespace -a --address -i --image-endpoint -o --output --root',
  rows: [
    [
      'none',
      'yes',
      READS,
      'ps, images, image, pods, logs, inspect, inspectp, inspecti, stats, statsp, info, version, list, state, events, containers ls, images ls, tasks ls, namespaces ls, image ls, container ls, task ls, c ls, i ls, t ls',
    ],
    ['low', 'yes', 'reaches into a container', 'exec, pull, attach, port-forward, images pull, image pull'],
    [
      'high',
      'partly',
      'changes containers behind the back of what runs them',
      'run, runp, create, start, stop, stopp, rm, rmp, rmi, kill, delete, images rm, containers rm, tasks kill, tasks rm, update, pause, resume, checkpoint, restore',
    ],
  ],
  otherwise: 'high',
})

/** Programs that move images between registries: skopeo, crane, oras, regctl, cosign, buildah, dive. */
export const assessImages = byRows({
  family: 'containers',
  valued: SHARED,
  rows: [
    [
      'none',
      'yes',
      READS,
      'inspect, list-tags, manifest-digest, manifest, config, digest, ls, catalog, validate, version, verify, ' +
        'verify-attestation, tree, triangulate, images, containers, info, repo ls, repo tags, discover, manifest fetch, ' +
        'blob fetch, tag ls, image inspect, image manifest, image digest, download, blob, export, resolve, mount, ps, ' +
        'dockerfile-parse',
    ],
    [
      'low',
      'yes',
      'makes an image on this machine',
      'from, bud, build, build-using-dockerfile, run, add, config-set, commit, pull',
    ],
    [
      'medium',
      'yes',
      'stores a credential or changes a local image',
      'login, auth, auth login, logout, rm, rmi, umount, unmount, generate-key-pair, attach',
    ],
    [
      'high',
      'no',
      'publishes to a registry',
      'copy, cp, sync, push, append, mutate, rebase, flatten, tag, index, sign, attest, image copy, layout, standalone-sign',
    ],
    [
      'high',
      'no',
      'deletes from a registry',
      'delete, repo delete, tag delete, tag rm, manifest delete, image delete, clean, blob delete',
    ],
  ],
  otherwise: 'none',
})
