"""What a type checker sees of the package, and the one table of its public names."""

from rlct.answers.blow_up import BlowUp as BlowUp
from rlct.answers.calibration import calibrate as calibrate
from rlct.answers.check import check as check
from rlct.answers.error_budget import error_budget as error_budget
from rlct.answers.estimate import llc as llc
from rlct.answers.exact import blow_up as blow_up
from rlct.answers.exact import ideal as ideal
from rlct.answers.exact import linear as linear
from rlct.answers.exact import model as model
from rlct.answers.exact import poly as poly
from rlct.answers.exact import solve as solve
from rlct.answers.exact import theorem as theorem
from rlct.answers.module_question import exact as exact
from rlct.answers.quadratic import quadratic as quadratic
from rlct.answers.relu import relu as relu
from rlct.answers.result import Result as Result
from rlct.answers.table import Table as Table
from rlct.answers.table import compare as compare
from rlct.answers.variational import variational as variational
from rlct.certificate.verify import verify as verify
from rlct.criteria.learning_curve import learning_curve as learning_curve
from rlct.criteria.loo import loo as loo
from rlct.criteria.sbic import sbic as sbic
from rlct.criteria.waic import waic as waic
from rlct.criteria.wbic import wbic as wbic
from rlct.errors import CertificateError as CertificateError
from rlct.errors import DivergedError as DivergedError
from rlct.errors import InputError as InputError
from rlct.errors import RoutesDisagreeError as RoutesDisagreeError
from rlct.explain.strata import Strata as Strata
from rlct.explain.strata import strata as strata
from rlct.models.linear_networks.linear import LinearNetwork as LinearNetwork
from rlct.models.linear_networks.linear_point import LinearPoint as LinearPoint
from rlct.models.quadratic_networks.generic import QuadraticArchitecture as QuadraticArchitecture
from rlct.models.quadratic_networks.quadratic import QuadraticNetwork as QuadraticNetwork
from rlct.models.quadratic_networks.quadratic_features import QuadraticFeatures as QuadraticFeatures
from rlct.models.relu_networks.relu import ReluNetwork as ReluNetwork
from rlct.pair import Pair as Pair
from rlct.questions.problem import Problem as Problem
from rlct.sampling.networks.trajectory_run import llc_trajectory as llc_trajectory
from rlct.selection.outcome import Selection as Selection
from rlct.selection.size_choice import select as select
from rlct.theorems.kit.deep_linear_arrays import deep_linear_pairs as deep_linear_pairs

__version__: str
__all__: list[str]
