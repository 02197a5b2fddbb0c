import { recipes } from '../../host/installation';
import { describeVersion } from './olderN8n';

describeVersion('2.3', recipes.n8n2_3);
